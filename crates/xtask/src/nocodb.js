// Starts NocoDB on a free port of this machine, makes an administrator with an API token, and prints
// address and token. Ends when its standard input does, so that it never outlives who started it.
const http = require("node:http");
const { randomUUID } = require("node:crypto");
const express = require("express");

process.stdin.resume();
process.stdin.on("end", () => process.exit(0));

async function post(url, headers, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

(async () => {
  const app = express();
  const server = http.createServer(app);
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${server.address().port}`;
  process.env.NC_PUBLIC_URL = address;
  const { Noco } = require("nocodb");
  app.use(await Noco.init({}, server, app));
  const person = { email: "slovo@example.com", password: randomUUID() };
  const { token: session } = await post(`${address}/api/v1/auth/user/signup`, {}, person);
  const { token } = await post(`${address}/api/v1/tokens`, { "xc-auth": session }, { description: "slovo" });
  console.log(`\nready ${address} ${token}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});

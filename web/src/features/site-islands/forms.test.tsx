import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readCookie, writeCookie } from "@/lib/cookie";
import problems from "@/locales/en/problems.json";
import rules from "@/locales/en/rules.json";
import en from "@/locales/en/site-islands.json";
import { mount as mountContact } from "./contact-form";
import { mount as mountNewsletter } from "./newsletter-form";

const field = (id: string, name: string, tag = "input") =>
  `<div class="field"><label for="${id}">x</label><${tag} id="${id}" name="${name}" required></${tag}>
   <p class="field-error" id="${id}-error"></p></div>`;
const REST = `<div class="trap" aria-hidden="true"><label>x<input name="website" tabindex="-1"></label></div>
  <input type="hidden" name="locale" value="en"><button class="button" type="submit">Send</button>
  <p class="form-status" role="status"></p>`;

const form = () => document.querySelector<HTMLFormElement>("form") as HTMLFormElement;
const control = (name: string) => form().elements.namedItem(name) as HTMLInputElement;
const errorOf = (name: string) => document.getElementById(`${control(name).id}-error`)?.textContent;
const status = () => document.querySelector<HTMLElement>("[role=status]") as HTMLElement;
const button = () => form().querySelector("button") as HTMLButtonElement;
const send = () => form().requestSubmit(button());

const type = (name: string, value: string) => {
  control(name).value = value;
  control(name).dispatchEvent(new Event("input", { bubbles: true }));
};
const fillIn = () => {
  type("first_name", "Олена");
  type("last_name", "Пчілка");
  type("email", "olena@example.org");
  type("message", "Добрий день");
};

/** The requests. */
const requests: { path: string; body: unknown }[] = [];
const answer = (make: () => Response | Promise<Response>) =>
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push({ path: new URL(request.url).pathname, body: await request.json() });
    return make();
  });
const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, status, title: "", ...more }), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });

beforeEach(() => {
  document.documentElement.lang = "en";
  localStorage.clear();
  writeCookie("slovo.consent", "", 0);
  requests.length = 0;
  vi.spyOn(console, "warn").mockReturnValue();
  answer(() => new Response(null, { status: 202 }));
});
afterEach(() => {
  document.body.innerHTML = "";
});

describe("the contact form", () => {
  beforeEach(() => {
    const fields = ["first_name", "last_name", "email"].map((name) => field(`contact-${name}`, name)).join("");
    document.body.innerHTML = `<form data-island="contact" action="/contact" method="post">
      ${fields}${field("contact-message", "message", "textarea")}${REST}</form>`;
  });

  it("keeps elements, input, focus and selection when the island starts", async () => {
    const before = control("message");
    before.value = "Добрий день";
    before.focus();
    before.setSelectionRange(2, 5);
    await mountContact(form());
    expect(control("message")).toBe(before);
    expect(before.value).toBe("Добрий день");
    expect(document.activeElement).toBe(before);
    expect([before.selectionStart, before.selectionEnd]).toEqual([2, 5]);
    expect(form().noValidate).toBe(true);
  });

  it("shows errors at their fields, and focuses the first one", async () => {
    await mountContact(form());
    type("first_name", "Олена");
    type("email", "olena");
    send();
    await vi.waitFor(() => expect(errorOf("last_name")).toBe(rules.violations.last_name_required));
    expect(errorOf("first_name")).toBe("");
    expect(errorOf("email")).toBe(rules.violations.email_invalid);
    expect(errorOf("message")).toBe(rules.violations.message_required);
    expect(control("email").getAttribute("aria-invalid")).toBe("true");
    expect(control("email").getAttribute("aria-describedby")).toBe("contact-email-error");
    await vi.waitFor(() => expect(document.activeElement).toBe(control("last_name")));
    expect(requests).toEqual([]);

    type("email", "olena@");
    await vi.waitFor(() => expect(errorOf("email")).toBe(""));
    expect(control("email").hasAttribute("aria-invalid")).toBe(false);
    expect(errorOf("message")).not.toBe("");
  });

  it("sends the form including the honeypot field, confirms it, and clears the fields", async () => {
    let accept = (_answer: Response) => {};
    answer(() => new Promise((resolve) => (accept = resolve)));
    await mountContact(form());
    fillIn();
    control("website").value = "http://spam.example";
    send();
    await vi.waitFor(() => expect(button().getAttribute("aria-busy")).toBe("true"));
    expect(status().textContent).toBe(en.sending);
    send();
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    accept(new Response(null, { status: 202 }));
    await vi.waitFor(() => expect(status().textContent).toBe("Thank you! We will contact you soon."));
    expect(status().dataset.state).toBe("sent");
    expect(button().hasAttribute("aria-busy")).toBe(false);
    expect(requests).toEqual([
      {
        path: "/api/v1/contact",
        body: {
          first_name: "Олена",
          last_name: "Пчілка",
          email: "olena@example.org",
          message: "Добрий день",
          locale: "en",
          website: "http://spam.example",
        },
      },
    ]);
    expect(control("message").value).toBe("");
  });

  it("keeps the input and shows the reason if it cannot be sent", async () => {
    await mountContact(form());
    fillIn();
    const expectMessage = async (text: string) => {
      send();
      await vi.waitFor(() => expect(status().textContent).toBe(text));
      expect(status().dataset.state).toBe("failed");
      expect(control("message").value).toBe("Добрий день");
    };
    answer(() => problem(500, "internal"));
    await expectMessage("Error sending. Please try again.");
    answer(() => problem(429, "rate_limited", {}, { "retry-after": "120" }));
    await expectMessage(problems.rate_limited_for.minutes_other.replace("{{count}}", "2"));
    answer(() => Promise.reject(new TypeError("cut")));
    await expectMessage(en.contact.failed);
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await expectMessage(problems.codes.network);
  });

  it("shows violations found by the server only", async () => {
    answer(() => problem(422, "validation_failed", { errors: [{ field: "message", code: "too_long", params: { max: 5000 } }] }));
    await mountContact(form());
    fillIn();
    send();
    await vi.waitFor(() => expect(errorOf("message")).toContain("5000"));
    expect(status().textContent).toBe("");
  });

  it("adopts errors rendered by the server", async () => {
    const place = document.getElementById("contact-email-error") as HTMLElement;
    place.textContent = "Wrong";
    status().textContent = "Not sent";
    status().dataset.state = "failed";
    await mountContact(form());
    expect(errorOf("email")).toBe("Wrong");
    expect(status().textContent).toBe("Not sent");
    expect(control("email").getAttribute("aria-invalid")).toBe("true");
    type("email", "o");
    await vi.waitFor(() => expect(errorOf("email")).toBe(""));
    expect(status().textContent).toBe("");
  });

  it("stores an unfinished message with consent only, until it is sent", async () => {
    await mountContact(form());
    fillIn();
    dispatchEvent(new Event("pagehide"));
    expect(localStorage.getItem("slovo.contact-draft")).toBeNull();
    writeCookie("slovo.consent", "1.preferences", 60);
    expect(readCookie("slovo.consent")).toBe("1.preferences");
    dispatchEvent(new Event("pagehide"));
    expect(localStorage.getItem("slovo.contact-draft")).toContain("Добрий день");
    send();
    await vi.waitFor(() => expect(status().dataset.state).toBe("sent"));
    dispatchEvent(new Event("pagehide"));
    expect(localStorage.getItem("slovo.contact-draft")).toBeNull();
  });

  it("does not start in a form with a missing field", async () => {
    control("email").remove();
    expect(() => mountContact(form())).toThrow("email");
  });
});

describe("the newsletter", () => {
  beforeEach(async () => {
    document.body.innerHTML = `<form data-island="newsletter" action="/newsletter" method="post">
      ${field("newsletter-email", "email")}${REST}</form>`;
    await mountNewsletter(form());
  });

  it("requires an email address", async () => {
    send();
    await vi.waitFor(() => expect(errorOf("email")).toBe(rules.violations.email_required));
    expect(requests).toEqual([]);
  });

  it("shows the next step", async () => {
    type("email", "olena@example.org");
    send();
    await vi.waitFor(() => expect(status().textContent).toBe(en.newsletter.sent));
    expect(requests).toEqual([{ path: "/api/v1/newsletter", body: { email: "olena@example.org", locale: "en", website: "" } }]);
  });
});

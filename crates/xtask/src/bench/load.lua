-- Users who read a page, think, and ask for the next one: for `cargo xtask bench load`.
-- Arguments: a file with lines `path …` and `token …`, and the thinking time in ms, least and most.

local paths, tokens = {}, {}
local least, most

function init(args)
  for line in io.lines(args[1]) do
    local kind, value = line:match("^(%a+) (.+)$")
    table.insert(kind == "path" and paths or tokens, value)
  end
  least, most = tonumber(args[2]), tonumber(args[3])
  math.randomseed(1)
end

function delay()
  return math.random(least, most)
end

function request()
  local headers = { Authorization = "Bearer " .. tokens[math.random(#tokens)] }
  return wrk.format("GET", paths[math.random(#paths)], headers)
end

-- What it counted, as JSON.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "site.lua")

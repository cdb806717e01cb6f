-- Sends one donation after the other, each with a new idempotency key, donor, and IP address.
local body = os.getenv("DONATION_BODY")
local origin = os.getenv("DONATION_ORIGIN")
local seed = tonumber(os.getenv("DONATION_SEED"))
local count = 0
local has_failed = false

function request()
  count = count + 1
  local key = string.format("aQzLpXvTrW-%06d-%08d", seed, count)
  local text = body:gsub("Souza 0", "Souza " .. key):gsub("ana%.0@", "ana." .. key .. "@")
  local donor = (seed * 1000003 + count) % 16777216
  return wrk.format("POST", "/donations", {
    ["Content-Type"] = "application/json",
    ["Origin"] = origin,
    ["Idempotency-Key"] = key,
    ["X-Forwarded-For"] = string.format(
      "10.%d.%d.%d", math.floor(donor / 65536) % 256, math.floor(donor / 256) % 256, donor % 256),
  }, text)
end

function response(status, headers, text)
  if status ~= 200 and status ~= 202 and not has_failed then
    has_failed = true
    io.stderr:write("status " .. status .. ": " .. text .. "\n")
  end
end

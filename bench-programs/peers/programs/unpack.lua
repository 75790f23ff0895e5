local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local HEADERS, SIZE = 2000, 18

local function unpack(format, data, from, out)
  local to = 0
  for i = 1, #format do
    local letter = format[i]
    if letter == 66 then
      out[to] = data[from]
      from = from + 1
      to = to + 1
    elseif letter == 72 then
      out[to] = data[from] + data[from + 1] * 256
      from = from + 2
      to = to + 1
    elseif letter == 73 then
      out[to] = data[from] + data[from + 1] * 256 + data[from + 2] * 65536 + data[from + 3] * 16777216
      from = from + 4
      to = to + 1
    elseif letter == 104 then
      local v = data[from] + data[from + 1] * 256
      if v >= 32768 then out[to] = v - 65536 else out[to] = v end
      from = from + 2
      to = to + 1
    elseif letter == 120 then
      from = from + 1
    elseif letter == 98 then
      local v = data[from]
      if v >= 128 then out[to] = v - 256 else out[to] = v end
      from = from + 1
      to = to + 1
    end
  end
  return from
end

local function bench(n)
  local format, data, out = { ("HHBxIhBBI"):byte(1, -1) }, {}, {}
  for i = 0, HEADERS * SIZE - 1 do data[i] = rnd(256) end
  for i = 0, HEADERS - 1 do
    if rnd(32) ~= 0 then data[i * SIZE + 11] = data[i * SIZE + 11] % 128 end
  end
  for i = 0, 15 do out[i] = 0 end
  local sum = 0
  for _ = 1, n do
    local changed = rnd(HEADERS) * SIZE
    data[changed] = rnd(256)
    local at = 0
    for _ = 1, HEADERS do
      at = unpack(format, data, at, out)
      sum = (sum + out[0] * 3 + out[3] + out[4] * 5 + out[7]) % 4294967296
    end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 14000))))

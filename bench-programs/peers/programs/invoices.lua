local floor, byte = math.floor, string.byte
local WIDTH = 46
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local words = {}
for word in ("goods were sent by the river boat and must be paid within thirty days of this letter"):gmatch("%S+") do
  words[#words + 1] = word
end

local function order()
  local names = { "lamp oil", "rope", "tallow candles", "map of the holloway", "tin box", "walking stick" }
  local lines = {}
  for i = 1, 2 + rnd(6) do
    local name = names[rnd(6) + 1]
    local count = 1 + rnd(12)
    lines[i] = { name = name, count = count, cents = 5 + rnd(9000) }
  end
  return lines
end

local function wrapped(text, width)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and #line + 1 + #word > width then
      lines[#lines + 1] = line
      line = ""
    end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return lines
end

local function money(cents)
  local whole, text = floor(cents / 100), (".%02d"):format(cents % 100)
  while whole >= 1000 do
    text = (",%03d"):format(whole % 1000) .. text
    whole = floor(whole / 1000)
  end
  return ("%d"):format(whole) .. text
end

local function centred(text, width)
  local left = floor((width - #text) / 2)
  return (" "):rep(left) .. text .. (" "):rep(width - #text - left)
end

local function invoice(number)
  local out = ("Invoice %06d"):format(number):upper() .. "\n" .. ("="):rep(WIDTH) .. "\n"
  local total = 0
  for i, line in ipairs(order()) do
    local price = line.count * line.cents
    out = out .. ("%2d %-19.16s%4d x%8s%11s\n"):format(i, line.name, line.count, money(line.cents), money(price))
    total = total + price
  end
  out = out .. ("-"):rep(WIDTH) .. "\n"
  out = out .. ("%-30s%16s\n"):format("total", money(total))
  out = out .. ("%-30s%16.2f\n"):format("of that tax", floor(total * 19 / 119) / 100)
  local note = ""
  for _ = 1, 10 + rnd(20) do note = note .. words[rnd(#words) + 1] .. " " end
  for _, line in ipairs(wrapped(note, WIDTH - 4)) do out = out .. "| " .. centred(line, 42) .. " |\n" end
  return out
end

local function bench(n)
  local sum, pages = 0, {}
  for i = 0, n * 100 - 1 do
    pages[#pages + 1] = invoice(i)
    if #pages == 20 then
      local text = table.concat(pages, "\n")
      sum = (sum * 31 + #text) % 4294967296
      for k = 1, #text, 5 do sum = (sum * 31 + byte(text, k)) % 4294967296 end
      pages = {}
    end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 300))))

local floor, byte = math.floor, string.byte
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local source = "<h1>{shop.name|upper}</h1>\n{when shop.open}<p>Open today.</p>{else}<p>Closed, sorry.</p>{end}\n" ..
  "<ul>\n{each item in items}  <li>{item.name|trim|upper}: {item.price|money}{when item.left} ({item.left} left){end}\n" ..
  "{each tag in item.tags}    <i>{tag}</i>{end}</li>\n{end}</ul>\n<p>{note|escape}</p>\n"

local function split(text, sep)
  local parts = {}
  for part in (text .. sep):gmatch("(.-)%" .. sep) do parts[#parts + 1] = part end
  return parts
end

local function cut(text)
  local parts = {}
  for _, piece in ipairs(split(text, "{")) do
    local close = piece:find("}", 1, true)
    if close then
      parts[#parts + 1] = "{" .. piece:sub(1, close - 1)
      if close < #piece then parts[#parts + 1] = piece:sub(close + 1) end
    elseif piece ~= "" then
      parts[#parts + 1] = piece
    end
  end
  return parts
end

local Parser = {}
Parser.__index = Parser

function Parser:nodes()
  local found = {}
  while self.at <= #self.parts do
    local part = self.parts[self.at]
    self.at = self.at + 1
    if part:sub(1, 1) ~= "{" then
      found[#found + 1] = { kind = "plain", text = part }
    else
      local words = split(part:sub(2), " ")
      if words[1] == "end" or words[1] == "else" then return found end
      if words[1] == "each" then
        found[#found + 1] = { kind = "each", name = words[2], path = split(words[4], "."), body = self:nodes() }
      elseif words[1] == "when" then
        local yes = self:nodes()
        local no = self.parts[self.at - 1] == "{else" and self:nodes() or {}
        found[#found + 1] = { kind = "when", path = split(words[2], "."), yes = yes, no = no }
      else
        local filters = split(words[1], "|")
        local path = split(table.remove(filters, 1), ".")
        found[#found + 1] = { kind = "slot", path = path, filters = filters }
      end
    end
  end
  return found
end

local function look_up(path, scope)
  local value = scope
  for _, name in ipairs(path) do value = value[name] end
  return value
end

local function is_true(value)
  if type(value) == "table" then return next(value) ~= nil end
  return value ~= 0 and value ~= ""
end

local function fill(nodes, scope, filters, out)
  for _, node in ipairs(nodes) do
    if node.kind == "plain" then
      out[#out + 1] = node.text
    elseif node.kind == "slot" then
      local text = tostring(look_up(node.path, scope))
      for _, name in ipairs(node.filters) do text = filters[name](text) end
      out[#out + 1] = text
    elseif node.kind == "when" then
      fill(is_true(look_up(node.path, scope)) and node.yes or node.no, scope, filters, out)
    else
      for _, value in ipairs(look_up(node.path, scope)) do
        scope[node.name] = value
        fill(node.body, scope, filters, out)
      end
      scope[node.name] = nil
    end
  end
end

local function page()
  local names = { "oil lamp ", " rope", " candle", "map & compass", "<tin> box " }
  local ages, items = { "new", "old", "rare" }, {}
  for i = 1, 5 + rnd(10) do
    local tags = {}
    for k = 1, rnd(3) do tags[k] = ages[rnd(3) + 1] end
    local price = rnd(100000)
    local name = names[rnd(5) + 1]
    items[i] = { name = name, price = price, left = rnd(4), tags = tags }
  end
  return { shop = { name = "The Worn Lane", open = rnd(2) }, items = items, note = 'Oil & rope < 5 "miles"' }
end

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", ['"'] = "&quot;" }

local function bench(n)
  local filters = {
    upper = string.upper,
    trim = function(text) return text:match("^%s*(.-)%s*$") end,
    money = function(text) return ("$%d.%02d"):format(floor(tonumber(text) / 100), tonumber(text) % 100) end,
    escape = function(text) return (text:gsub('[&<"]', entities)) end,
  }
  local template, sum = {}, 0
  for i = 0, n - 1 do
    if i % 100 == 0 then template = setmetatable({ parts = cut(source), at = 1 }, Parser):nodes() end
    local out = {}
    fill(template, page(), filters, out)
    local text = table.concat(out)
    sum = (sum * 31 + #text) % 4294967296
    for k = 1, #text, 16 do sum = (sum * 31 + byte(text, k)) % 4294967296 end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 15000))))

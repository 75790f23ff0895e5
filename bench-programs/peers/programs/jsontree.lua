local floor, byte, concat = math.floor, string.byte, table.concat
local ORDERS = 200
local BLANK, NEWLINE, QUOTE, BACKSLASH = byte(" "), byte("\n"), byte('"'), byte("\\")
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local function document()
  local names = { "lamp", "rope", 'blue \\"jay\\"', "oil", "a\\\\b", "candle", "map", "tin\\nbox" }
  local orders = {}
  for i = 0, ORDERS - 1 do
    local items = {}
    for _ = 1, 1 + rnd(4) do
      local name = names[rnd(8) + 1]
      local price = rnd(5000)
      items[#items + 1] = ('{"name": "%s", "price": %d, "count": %d}'):format(name, price, 1 + rnd(9))
    end
    local paid = ({ "true", "false", "null" })[rnd(3) + 1]
    orders[#orders + 1] = ('{"id": %d, "paid": %s, "items": [%s], "tags": []}'):format(i, paid, concat(items, ", "))
  end
  return '{ "orders": [\n  ' .. concat(orders, ",\n  ") .. "\n] }\n"
end

-- Null and lists are told from objects by what they are and by their metatable.
local Null, List = {}, {}
local Reader = {}
Reader.__index = Reader

function Reader:peek()
  local text, at = self.text, self.at
  while byte(text, at) == BLANK or byte(text, at) == NEWLINE do at = at + 1 end
  self.at = at
  return text:sub(at, at)
end

function Reader:eat(c)
  if self:peek() ~= c then return false end
  self.at = self.at + 1
  return true
end

function Reader:read_text()
  self.at = self.at + 1
  local start, text = self.at, ""
  while byte(self.text, self.at) ~= QUOTE do
    if byte(self.text, self.at) == BACKSLASH then
      local c = self.text:sub(self.at + 1, self.at + 1)
      text = text .. self.text:sub(start, self.at - 1) .. (c == "n" and "\n" or c)
      self.at = self.at + 2
      start = self.at
    else
      self.at = self.at + 1
    end
  end
  self.at = self.at + 1
  return text .. self.text:sub(start, self.at - 2)
end

function Reader:read()
  local c = self:peek()
  if c == "{" then
    self.at = self.at + 1
    local members = {}
    while not self:eat("}") do
      self:eat(",")
      self:peek()
      local key = self:read_text()
      if not self:eat(":") then error("a colon is missing") end
      members[key] = self:read()
    end
    return members
  elseif c == "[" then
    self.at = self.at + 1
    local parts = setmetatable({}, List)
    while not self:eat("]") do
      self:eat(",")
      parts[#parts + 1] = self:read()
    end
    return parts
  elseif c == '"' then
    return self:read_text()
  end
  local start = self.at
  while not (",]} \n"):find(self.text:sub(self.at, self.at), 1, true) do self.at = self.at + 1 end
  local word = self.text:sub(start, self.at - 1)
  if word == "null" then return Null end
  if word == "true" then return true end
  if word == "false" then return false end
  return tonumber(word)
end

local function raised(json)
  if type(json) ~= "table" or json == Null then return json end
  local out = {}
  if getmetatable(json) == List then
    for i, part in ipairs(json) do out[i] = raised(part) end
    return setmetatable(out, List)
  end
  for key, value in pairs(json) do
    if key == "price" and type(value) == "number" then
      out[key] = value + floor(value / 10)
    else
      out[key] = raised(value)
    end
  end
  return out
end

local function quoted(text)
  return '"' .. text:gsub("\\", "\\\\"):gsub('"', '\\"'):gsub("\n", "\\n") .. '"'
end

local function written(json)
  if json == Null then return "null" end
  if type(json) == "string" then return quoted(json) end
  if type(json) ~= "table" then return tostring(json) end
  local out = {}
  if getmetatable(json) == List then
    for i, part in ipairs(json) do out[i] = written(part) end
    return "[" .. concat(out, ",") .. "]"
  end
  local keys = {}
  for key in pairs(json) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do out[i] = quoted(key) .. ":" .. written(json[key]) end
  return "{" .. concat(out, ",") .. "}"
end

local function bench(n)
  local text, sum = document(), 0
  for pass = 0, n - 1 do
    local reader = setmetatable({ text = text, at = 1 }, Reader)
    local out = written(raised(reader:read()))
    sum = (sum * 31 + #out) % 4294967296
    for _ = 1, 100 do sum = (sum * 31 + byte(out, rnd(#out) + 1)) % 4294967296 end
    if pass % 8 == 0 then text = out .. "\n" end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 150))))

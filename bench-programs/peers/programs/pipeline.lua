local floor, max = math.floor, math.max
local SALES = 5000
local seed = 42

local function rnd(m)
  seed = (seed * 1664525 + 1013904223) % 4294967296
  return floor(seed / 256) % m
end

local function map(xs, f)
  local out = {}
  for i, x in ipairs(xs) do out[i] = f(x) end
  return out
end

local function filter(xs, f)
  local out = {}
  for _, x in ipairs(xs) do
    if f(x) then out[#out + 1] = x end
  end
  return out
end

local function fold(xs, start, f)
  local value = start
  for _, x in ipairs(xs) do value = f(value, x) end
  return value
end

local function sum_of(xs) return fold(xs, 0, function(a, b) return a + b end) end

local function compose(f, g) return function(x) return g(f(x)) end end

-- A list of { key, list }, in the order in which keys appear.
local function group_by(xs, key)
  local groups, places = {}, {}
  for _, x in ipairs(xs) do
    local k = key(x)
    if not places[k] then
      groups[#groups + 1] = { k, {} }
      places[k] = groups[#groups][2]
    end
    local group = places[k]
    group[#group + 1] = x
  end
  return groups
end

local function rule(kind, by)
  if kind == 0 then return function(cents) return cents + by end end
  if kind == 1 then return function(cents) return cents - floor(cents * by / 100) end end
  if kind == 2 then return function(cents) return max(cents, by * 10) end end
  return function(cents) return cents % by == 0 and cents - by or cents end
end

local function chain(rules) return fold(rules, function(cents) return cents end, compose) end

local function bench(n)
  local products, sales = { "lamp", "rope", "oil", "candle", "map", "compass" }, {}
  for i = 1, SALES do
    local region = rnd(8)
    local product = products[rnd(6) + 1]
    local amount = 1 + rnd(20)
    sales[i] = { region = region, product = product, amount = amount, cents = 50 + rnd(5000) }
  end
  local sum = 0
  local function report(x) sum = (sum * 31 + x) % 4294967296 end
  for _ = 1, n do
    local least = rnd(1000)
    local region = rnd(8)
    local large = filter(sales, function(s) return s.amount * s.cents > least * 10 and s.region ~= region end)
    report(sum_of(map(large, function(s) return s.amount * s.cents end)))
    report(#filter(large, function(s) return s.product == "oil" end))

    local price = chain(map({ 0, 1, 2, 3 }, function(kind) return rule(kind, 2 + rnd(30)) end))
    report(fold(map(large, function(s) return price(s.cents) end), 0, max))
    for _, entry in ipairs(group_by(large, function(s) return s.product end)) do
      local seen = 0
      local costly = filter(entry[2], function(s)
        seen = seen + s.amount
        return s.cents > 4000
      end)
      report(#entry[1] + seen + #costly)
    end
    local best, most
    for _, entry in ipairs(group_by(large, function(s) return s.region .. " " .. s.product end)) do
      local amount = sum_of(map(entry[2], function(s) return s.amount end))
      if not best or amount > most then best, most = entry[1], amount end
    end
    if best then
      local place, product = best:match("(%d+) (%l+)")
      report(tonumber(place) * 100 + #product + most)
    end
    local cents = 0
    for i = 1, #products do
      local s = large[(i - 1) * 7 + 1]
      if s then cents = cents + s.cents end
    end
    report(cents)
    local any, all = 0, 1
    for _, s in ipairs(large) do
      if s.cents == least then any = 1 break end
    end
    for _, s in ipairs(large) do
      if s.cents < 50 then all = 0 break end
    end
    report(any + all)
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 600))))

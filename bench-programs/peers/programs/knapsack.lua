local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local ITEMS, CAPACITY = 100, 10000

local function pack(weight, value, best)
  for w = 0, CAPACITY do best[w] = 0 end
  for i = 0, ITEMS - 1 do
    local wi, vi = weight[i], value[i]
    for w = CAPACITY, wi, -1 do
      local t = best[w - wi] + vi
      if t > best[w] then best[w] = t end
    end
  end
  return best[CAPACITY]
end

local function bench(n)
  local weight, value, best, sum = {}, {}, {}, 0
  for i = 0, ITEMS - 1 do
    weight[i] = 50 + rnd(500)
    value[i] = 1 + rnd(1000)
  end
  for r = 0, n - 1 do
    local k = r % ITEMS
    value[k] = 1 + value[k] * 7 % 1000
    sum = sum + pack(weight, value, best)
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 750))))

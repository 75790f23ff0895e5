local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local N, DEGREE = 2000, 8

local function push(heap, v)
  local a, i = heap.items, heap.size
  heap.size = i + 1
  while i > 0 do
    local p = floor((i - 1) / 2)
    if a[p] <= v then break end
    a[i] = a[p]
    i = p
  end
  a[i] = v
end

local function pop(heap)
  local a, size, i = heap.items, heap.size - 1, 0
  local top, v = a[0], a[size]
  heap.size = size
  while true do
    local c = 2 * i + 1
    if c >= size then break end
    if c + 1 < size and a[c + 1] < a[c] then c = c + 1 end
    if a[c] >= v then break end
    a[i] = a[c]
    i = c
  end
  a[i] = v
  return top
end

local function shortest(heap, target, weight, dist, source)
  for i = 0, N - 1 do dist[i] = 1000000 end
  dist[source] = 0
  heap.size = 0
  push(heap, source)
  while heap.size > 0 do
    local top = pop(heap)
    local d, u = floor(top / 2048), top % 2048
    if d <= dist[u] then
      for k = u * DEGREE, u * DEGREE + DEGREE - 1 do
        local v, candidate = target[k], d + weight[k]
        if candidate < dist[v] then
          dist[v] = candidate
          push(heap, candidate * 2048 + v)
        end
      end
    end
  end
end

local function bench(n)
  local target, weight, dist, heap, sum = {}, {}, {}, { items = {}, size = 0 }, 0
  for i = 0, N * DEGREE - 1 do
    target[i] = rnd(N)
    weight[i] = 1 + rnd(100)
  end
  for i = 0, N * DEGREE + 1 do heap.items[i] = 0 end
  for r = 0, n - 1 do
    shortest(heap, target, weight, dist, r % N)
    for i = 0, N - 1 do sum = sum + dist[i] end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 1600))))

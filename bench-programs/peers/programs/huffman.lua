local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor, min = math.floor, math.min
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, rshift = bit.band, bit.bor, bit.rshift
local SIZE = 32768

local function generate(text)
  local i = 0
  while i < SIZE do
    local kind = rnd(8)
    local stop = min(i + 200 + rnd(1500), SIZE)
    local width = 2 + rnd(3)
    while i < stop do
      if kind < 3 then text[i] = 32
      elseif kind == 3 then text[i] = 45
      elseif kind < 7 then text[i] = i % width == 0 and 124 or 32
      elseif rnd(6) == 0 then text[i] = rnd(10) == 0 and 10 or 32
      else text[i] = 97 + floor(rnd(26) * rnd(26) / 26)
      end
      i = i + 1
    end
  end
end

local function build(text, left, right)
  local weight, nxt = {}, 256
  for i = 0, 511 do weight[i], left[i], right[i] = 0, -1, -1 end
  for i = 0, SIZE - 1 do weight[text[i]] = weight[text[i]] + 1 end
  while true do
    local a, b = -1, -1
    for i = 0, nxt - 1 do
      if weight[i] > 0 then
        if a < 0 or weight[i] < weight[a] then
          b = a
          a = i
        elseif b < 0 or weight[i] < weight[b] then
          b = i
        end
      end
    end
    if b < 0 then return a end
    left[nxt] = a
    right[nxt] = b
    weight[nxt] = weight[a] + weight[b]
    weight[a] = 0
    weight[b] = 0
    nxt = nxt + 1
  end
end

local function encode(text, left, right, root, bits)
  local parent, path, size = {}, {}, 0
  for i = 0, SIZE - 1 do bits[i] = 0 end
  for i = 256, root do
    parent[left[i]] = i
    parent[right[i]] = i
  end
  for i = 0, SIZE - 1 do
    local node, depth = text[i], 0
    while node ~= root do
      path[depth] = right[parent[node]] == node
      depth = depth + 1
      node = parent[node]
    end
    while depth > 0 do
      depth = depth - 1
      local at = rshift(size, 3)
      if path[depth] then bits[at] = bor(bits[at], rshift(128, band(size, 7))) end
      size = size + 1
    end
  end
  return size
end

local function decode(bits, size, left, right, root, start)
  local node, hash, column = root, start, 0
  for i = 0, size - 1 do
    if band(rshift(bits[rshift(i, 3)], 7 - band(i, 7)), 1) == 0 then
      node = left[node]
    else
      node = right[node]
    end
    if node < 256 then
      if node == 10 then
        hash = (hash + column) % 16777216
        column = 0
      else
        hash = (hash * 31 + node) % 16777216
        column = column + 1
      end
      node = root
    end
  end
  return hash
end

local function bench(n)
  local text, bits, left, right = {}, {}, {}, {}
  generate(text)
  local root = build(text, left, right)
  local size, sum = encode(text, left, right, root, bits), 0
  for r = 0, n - 1 do sum = decode(bits, size, left, right, root, (sum + r) % 16777216) end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 5000))))

local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bor, lshift, rshift, min = bit.band, bit.bor, bit.lshift, bit.rshift, math.min
local SIZE = 32768

local function prose(text)
  local words = {
    "the ", "of ", "and ", "a ", "to ", "in ", "path ", "was worn ", "deep ", "by feet ", "holloway ", "between ",
    "banks; ", "lane.\n",
  }
  local size = 0
  while size < SIZE do
    local word = words[min(rnd(#words), rnd(#words)) + 1]
    local length = min(#word, SIZE - size)
    for i = 1, length do text[size + i - 1] = word:byte(i) end
    size = size + length
  end
end

local function generate(kind)
  local text = {}
  for i = 0, SIZE - 1 do text[i] = 0 end
  if kind == 0 then
    prose(text)
  elseif kind == 1 then
    for _ = 1, floor(SIZE / 40) do
      local at = rnd(SIZE)
      text[at] = lshift(1, rnd(8))
    end
  else
    for i = 0, SIZE - 1 do text[i] = rnd(100) end
  end
  return text
end

local function lightest(t, count, except)
  local weight, parent, best = t.weight, t.parent, -1
  for i = 0, count - 1 do
    if weight[i] > 0 and parent[i] < 0 and i ~= except and (best < 0 or weight[i] < weight[best]) then best = i end
  end
  return best
end

local function build(text)
  local t = { weight = {}, child = {}, parent = {}, root = 256 }
  for i = 0, 511 do t.weight[i], t.parent[i] = 0, -1 end
  for i = 0, 1023 do t.child[i] = 0 end
  for i = 0, SIZE - 1 do t.weight[text[i]] = t.weight[text[i]] + 1 end
  local count = 256
  while true do
    local a = lightest(t, count, -1)
    local b = lightest(t, count, a)
    if b < 0 then return t end
    t.weight[count] = t.weight[a] + t.weight[b]
    t.child[2 * count] = a
    t.child[2 * count + 1] = b
    t.parent[a] = count
    t.parent[b] = count
    t.root = count
    count = count + 1
  end
end

local function pack(t, text, bits)
  local code, length = {}, {}
  for c = 0, 255 do
    local node = c
    code[c], length[c] = 0, 0
    while t.weight[c] > 0 and node ~= t.root do
      local parent = t.parent[node]
      if t.child[2 * parent + 1] == node then code[c] = bor(code[c], lshift(1, length[c])) end
      length[c] = length[c] + 1
      node = parent
    end
  end
  local size, pending, held = 0, 0, 0
  for i = 0, SIZE - 1 do
    local c = text[i]
    pending = bor(lshift(pending, length[c]), code[c])
    held = held + length[c]
    while held >= 8 do
      held = held - 8
      bits[size] = band(rshift(pending, held), 255)
      size = size + 1
    end
    pending = band(pending, 255)
  end
  bits[size] = band(lshift(pending, 8 - held), 255)
  return size * 8 + held
end

local function unpack(t, bits, count, out)
  local child, size, node = t.child, 0, t.root
  for i = 0, count - 1 do
    local one = band(rshift(bits[rshift(i, 3)], 7 - band(i, 7)), 1)
    node = child[2 * node + one]
    if node < 256 then
      out[size] = node
      size = size + 1
      node = t.root
    end
  end
  return size
end

local function bench(n)
  local bits, out, sum = {}, {}, 0
  for i = 0, SIZE * 4 - 1 do bits[i] = 0 end
  for i = 0, SIZE - 1 do out[i] = 0 end
  for kind = 0, 2 do
    local text = generate(kind)
    for r = 0, n - 1 do
      text[r * 7 % SIZE] = text[r * 11 % SIZE]
      local t = build(text)
      local count = pack(t, text, bits)
      sum = sum + count + unpack(t, bits, count, out)
      for i = r % 32, SIZE - 1, 32 do
        if out[i] == text[i] then sum = sum + 1 end
      end
    end
    for i = 0, SIZE - 1 do sum = (sum * 31 + out[i]) % 4294967296 end
  end
  return sum
end

print(string.format("%d", bench(tonumber(arg[1] or 500))))

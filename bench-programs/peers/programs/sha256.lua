local bit = bit or dofile((arg[0]:match("^(.*/)") or "") .. "../lib/bit54.lua")
local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local band, bnot, bxor, ror, rshift, tobit = bit.band, bit.bnot, bit.bxor, bit.ror, bit.rshift, bit.tobit
local K = { [0] =
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
local h = {
  [0] = 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}
local w = {}
for i = 0, 63 do K[i], w[i] = tobit(K[i]), 0 end
for i = 0, 7 do h[i] = tobit(h[i]) end

local function compress(message, start)
  for i = 0, 15 do w[i] = message[start + i] end
  for i = 16, 63 do
    local p, q = w[i - 15], w[i - 2]
    local s0 = bxor(bxor(ror(p, 7), ror(p, 18)), rshift(p, 3))
    local s1 = bxor(bxor(ror(q, 17), ror(q, 19)), rshift(q, 10))
    w[i] = tobit(w[i - 16] + s0 + w[i - 7] + s1)
  end
  local a, b, c, d, e, f, g, k = h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
  for i = 0, 63 do
    local t1 = k + bxor(bxor(ror(e, 6), ror(e, 11)), ror(e, 25)) + bxor(band(e, f), band(bnot(e), g)) + K[i] + w[i]
    local t2 = bxor(bxor(ror(a, 2), ror(a, 13)), ror(a, 22)) + bxor(bxor(band(a, b), band(a, c)), band(b, c))
    k = g
    g = f
    f = e
    e = tobit(d + t1)
    d = c
    c = b
    b = a
    a = tobit(t1 + t2)
  end
  h[0], h[1], h[2], h[3] = tobit(h[0] + a), tobit(h[1] + b), tobit(h[2] + c), tobit(h[3] + d)
  h[4], h[5], h[6], h[7] = tobit(h[4] + e), tobit(h[5] + f), tobit(h[6] + g), tobit(h[7] + k)
end

local function bench(n)
  local message = {}
  for i = 0, 1023 do message[i] = rnd(16777216) end
  for _ = 1, n do
    for i = 0, 1023, 16 do compress(message, i) end
  end
  return h[0] % 4294967296 + band(h[7], 0xFFFFF) * 4294967296
end

print(string.format("%d", bench(tonumber(arg[1] or 40000))))

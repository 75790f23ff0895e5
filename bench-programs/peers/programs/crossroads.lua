local floor = math.floor
local seed = 42
local function lcg() seed = (seed * 1664525 + 1013904223) % 4294967296; return seed end
local function rnd(m) return floor(lcg() / 256) % m end

local HOUR, LANES, ROOM = 36000, 4, 64
local GREEN, AMBER, RED = 0, 1, 2

local gaps = {
  900, 1200, 1500, 1500, 900, 400, 150, 60, 32, 60, 110, 120,
  110, 120, 130, 120, 110, 100, 90, 120, 200, 300, 450, 700,
  1200, 1500, 1800, 1800, 1500, 700, 250, 140, 90, 110, 140, 130,
  110, 110, 100, 80, 50, 30, 60, 110, 180, 300, 500, 900,
}

local function bench(n)
  local lanes = {}
  for i = 0, LANES - 1 do
    local times = {}
    for k = 0, ROOM - 1 do times[k] = 0 end
    lanes[i] = { queue = 0, head = 0, next = i * 50, ready = 0, times = times }
  end
  local hour, hour_end, side, light, light_end, idle = 6, HOUR, 0, GREEN, 600, 0
  local passed, turned, waited, hash = 0, 0, 0, 0
  for t = 0, n * HOUR - 1 do
    if t == hour_end then
      hour = hour == 23 and 0 or hour + 1
      hour_end = hour_end + HOUR
    end
    if light == GREEN then
      if lanes[side].queue + lanes[side + 2].queue > 0 then
        idle = 0
      else
        idle = idle + 1
      end
      if lanes[1 - side].queue + lanes[3 - side].queue > 0 then
        if t >= light_end or idle >= 40 then
          light = AMBER
          light_end = t + 30
        end
      end
    elseif t >= light_end then
      if light == AMBER then
        light = RED
        light_end = t + 20
      else
        side = 1 - side
        light = GREEN
        light_end = t + 600
        idle = 0
        lanes[side].ready = t + 15
        lanes[side + 2].ready = t + 15
      end
    end
    for i = 0, LANES - 1 do
      local lane = lanes[i]
      if t == lane.next then
        if lane.queue < ROOM then
          lane.times[(lane.head + lane.queue) % ROOM] = t
          lane.queue = lane.queue + 1
        else
          turned = turned + 1
        end
        lane.next = t + 1 + rnd(2 * gaps[i % 2 * 24 + hour + 1])
      end
      if lane.queue > 0 then
        if light == GREEN and side == i % 2 then
          if t >= lane.ready then
            local wait = t - lane.times[lane.head]
            lane.head = (lane.head + 1) % ROOM
            lane.queue = lane.queue - 1
            lane.ready = t + 20
            passed = passed + 1
            waited = waited + wait
            hash = (hash * 31 + wait) % 16777216
          end
        end
      end
    end
  end
  return waited * 8 + passed * 3 + turned + hash
end

print(string.format("%d", bench(tonumber(arg[1] or 2500))))

from collections import deque
maze = ["S.#.....", "..#.###.", ".##.#...", "....#.#.", ".####.#.", "......#E"]
start = (0, 0)
queue, dist = deque([start]), {start: 0}
while queue:
    y, x = queue.popleft()
    if maze[y][x] == "E":
        print("steps:", dist[y, x])
        break
    for dy, dx in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
        v, u = y + dy, x + dx
        if 0 <= v < len(maze) and 0 <= u < len(maze[0]) and maze[v][u] != "#" and (v, u) not in dist:
            dist[v, u] = dist[y, x] + 1
            queue.append((v, u))
print("seen:", len(dist))

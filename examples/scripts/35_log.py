log = """09:00:01 INFO start
09:00:05 WARN disk at 91%
09:01:12 ERROR read failed: a.txt
09:01:13 INFO retry
09:02:40 ERROR read failed: b.txt
09:03:00 INFO done"""
counts, errors, times = {}, [], []
for line in log.splitlines():
    time, level, message = line.split(" ", 2)
    h, m, s = map(int, time.split(":"))
    times.append(h * 3600 + m * 60 + s)
    counts[level] = counts.get(level, 0) + 1
    if level == "ERROR": errors.append(message.split(": ")[1])
for l in sorted(counts): print(f"{l:<6}{'#' * counts[l]:.<8}{100 * counts[l] / len(times):>6.1f}%")
gaps = [b - a for a, b in zip(times, times[1:])]
print("files:", ", ".join(errors), "longest gap:", max(gaps), "s")

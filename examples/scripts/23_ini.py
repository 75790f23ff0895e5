text = """; settings
[server]
host = example.org
port = 8080

[paths]
root = /srv/www
log=/var/log/www
"""
config, section = {}, ""
for line in text.splitlines():
    line = line.strip()
    if not line or line.startswith(";"): continue
    if line.startswith("[") and line.endswith("]"):
        section = line[1:-1]
        config[section] = {}
    else:
        key, value = line.split("=", 1)
        config[section][key.strip()] = value.strip()
for name, entries in config.items():
    print(f"{name}: {len(entries)} entries")
    for k, v in entries.items(): print(f"  {k:>6} -> {v}")
print(int(config["server"]["port"]) + 1)

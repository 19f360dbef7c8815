#!/usr/bin/env bash
# Build sdist and wheel, install the wheel into an empty environment outside the checkout, import every module in it,
# and let the humanoid stand for two seconds. A package forgotten in pyproject.toml shows up here.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH

echo "-- build"
# Without flags the wheel is built from the sdist, so both are tried.
"$python" -m build --outdir "$work/dist" "$checkout" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
wheel=$(ls "$work"/dist/*.whl)
echo "$(basename "$wheel")"

echo "-- install"
cd "$work"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet "$wheel"

echo "-- import every module"
"$work/venv/bin/python" - "$wheel" <<'PYTHON'
import importlib, sys, traceback, zipfile

files = [name for name in zipfile.ZipFile(sys.argv[1]).namelist() if name.endswith(".py")]
modules = sorted(name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files)
broken = []
for module in modules:
    if module.endswith("__main__") or ".peers.scripts." in module:  # run by other interpreters
        continue
    try:
        importlib.import_module(module)
    except Exception:
        traceback.print_exc()
        broken.append(module)
tops = {module.partition(".")[0] for module in modules}
print(f"{len(modules)} modules in {', '.join(sorted(tops))}, {len(broken)} broken {broken or ''}")
sys.exit(bool(broken) or tops != {"hmpc", "hmpc_demos", "hmpc_envs"})
PYTHON

echo "-- hmpc run stand --seconds 2 --json"
"$work/venv/bin/hmpc" run stand --seconds 2 --json >"$work/run.json" || { cat "$work/run.json"; exit 1; }
"$work/venv/bin/python" - "$work/run.json" <<'PYTHON'
import json, sys

run = json.load(open(sys.argv[1]))
print(f"success: {run['success']} ({run['reason']})")
sys.exit(run["success"] is not True)
PYTHON

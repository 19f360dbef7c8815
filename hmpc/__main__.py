"""`python -m hmpc` is the `hmpc` command."""

import sys

from hmpc.app.cli import main

sys.exit(main())

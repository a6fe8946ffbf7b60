"""Paint the reviewed pictures anew: ``python -m tests.references``. Look at them before they are committed."""

from . import FOLDER, painted

for name, picture in painted().items():
    file = FOLDER / f"{name}.png"
    picture.quantize(64).save(file, optimize=True)
    print(file)

"""The browser's devices themselves, which one test after another takes."""

from urllib.parse import urlsplit

from .conftest import Device

PHONE = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}


def test_what_a_device_hears_while_no_test_has_it_fails_none(new_page, chromium, live_server, idle_devices):
    device = Device(chromium, {"base_url": live_server.url, **PHONE})
    device.forget()
    device.page.evaluate("console.error('too late'), new Image().src = 'http://elsewhere.invalid/'")
    device.page.evaluate("0")
    assert device.complaints and device.strays(live_server.url)
    idle_devices.insert(0, device)
    assert new_page() is device.page  # which fails this test, should it have anything to say of that


def test_a_device_that_waits_asks_the_app_for_nothing_but_its_page(chromium, live_server, idle_devices):
    device = Device(chromium, {"base_url": live_server.url, **PHONE})
    device.forget()
    device.page.wait_for_load_state("networkidle")
    addresses = [urlsplit(address) for address in device.asked]
    assert [address.path for address in addresses if address.scheme != "data"] == ["/static/waiting.html"]
    idle_devices.append(device)

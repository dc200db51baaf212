"""A real Chromium without a window and without a network, where one is installed."""

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--window-size=1000,900",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    from selenium import webdriver

    # who asks for these tests wants a browser: without one they fail, as a skip would look like success
    assert CHROMIUM is not None, "install chromium, in which the pages are tried"
    assert DRIVER is not None, "install chromedriver (on Debian: chromium-driver), which does the clicks and keys"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()

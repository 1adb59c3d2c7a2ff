#!/usr/bin/python3
# mypy: disable-error-code="import-not-found, import-untyped"
"""A window with WebKitGTK in it and nothing else, to be driven by WebKitWebDriver.

WebKit's own MiniBrowser is never as narrow as a phone, and prints no console. Arguments: width,
height, and the file to which errors and warnings of pages are written, as lines of JSON.
"""

import sys
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

_LOG_ERRORS = """(() => {
    const log = (kind, text) => webkit.messageHandlers.log.postMessage(
        JSON.stringify(`${kind}: ${text} (${location.pathname})`));
    addEventListener("error", ({ message, filename, lineno }) =>
        log("error", `${message} at ${filename}:${lineno}`));
    addEventListener("unhandledrejection", ({ reason }) => log("rejection", reason));
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        log("refused", `${violatedDirective} ${blockedURI}`));
    for (const kind of ["error", "warn"]) console[kind] = (...said) => log(kind, said.join(" "));
})()"""

width, height, errors = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
settings = Gtk.Settings.get_default()
settings.set_property("gtk-enable-animations", False)  # pages prefer reduced motion
context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
context.set_preferred_languages(["en-GB"])
content = WebKit2.UserContentManager()
content.register_script_message_handler("log")
content.add_script(
    WebKit2.UserScript(
        _LOG_ERRORS,
        WebKit2.UserContentInjectedFrames.ALL_FRAMES,
        WebKit2.UserScriptInjectionTime.START,
        None,
        None,
    )
)


def write(_: Any, result: Any) -> None:
    with open(errors, "a") as file:
        file.write(result.get_js_value().to_string() + "\n")


def open_window(_session: Any) -> Any:
    view = WebKit2.WebView(
        web_context=context, is_controlled_by_automation=True, user_content_manager=content
    )
    window = Gtk.Window()
    window.set_decorated(False)
    window.set_default_size(width, height)
    window.add(view)
    window.show_all()
    window.get_window().focus(0)  # there is no window manager to do it
    view.grab_focus()
    view.connect("close", lambda _: window.destroy())
    return view


def begin_session(_: Any, session: Any) -> None:
    session.set_application_info(WebKit2.ApplicationInfo())
    session.connect("create-web-view", open_window)


content.connect("script-message-received::log", write)
context.connect("automation-started", begin_session)
GLib.MainLoop().run()

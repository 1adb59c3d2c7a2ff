"""A smoke journey in Firefox and WebKit, the engines that tests/browser does not use."""

// The reader's colour scheme, before anything is painted: what they chose on
// this site, or else what their system says (the style sheet does that).
"use strict";
try {
  const chosen = localStorage.getItem("scheme");
  if (chosen === "dark" || chosen === "light")
    document.documentElement.dataset.scheme = chosen;
} catch { /* storage may be switched off: the system's scheme stays */ }

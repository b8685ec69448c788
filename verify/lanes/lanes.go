package lanes

import "rea.example/verify/lane"

// All is every lane that needs no evidence of the caller's, in the order in
// which they run.
var All = []lane.Lane{WebHAR, WebMitmproxy, WebSAZ, WebAioquic, WebViews, WebMCP, WebOffline}

// Supplied are the lanes that need files from the caller.
var Supplied = []lane.Lane{WebQlog}

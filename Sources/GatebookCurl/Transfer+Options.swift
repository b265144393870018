internal import CCurl
internal import GatebookAuthentication

extension Transfer {
  /// Tells libcurl everything about the request; an option that it does not take is an error.
  ///
  /// A handle that has served before has what all requests of its kind have in common
  /// (``EasyHandle/Fit``): its route, server and limits.
  func configure() throws(CurlStatus) {
    if !isConfigured {
      try library.set(easy, CURLOPT_ERRORBUFFER, pointer: handle?.words)
      try setRules()
      try setLimits()
      try setTrust(proxy)
      try setProxy(proxy)
      try setBody()
      try setCallbacks()
    }
    try setRequest()
    try setTarget(proxy)
    try setLines()
    try setJudge(proxy)
    try setReceiver()
  }

  /// What Gatebook never leaves to libcurl.
  private func setRules() throws(CurlStatus) {
    try library.set(easy, CURLOPT_SHARE, pointer: pool.share)
    try library.set(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    try library.set(easy, CURLOPT_FOLLOWLOCATION, 0)
    try library.set(easy, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try library.set(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try library.set(easy, CURLOPT_HTTP09_ALLOWED, 0)
    try library.set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try library.set(easy, CURLOPT_NOSIGNAL, 1)
    // Since 7.87: else ending a transfer waits on this thread for a resolver that does not answer.
    try? library.set(easy, CURLOPT_QUICK_EXIT, 1)
    // Refused by a libcurl without HTTP/2, which then speaks HTTP/1.1.
    try? library.set(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    try library.set(easy, CURLOPT_ACCEPT_ENCODING, "")
    // Nothing in the target is made simpler: what was checked is what is sent.
    try library.set(easy, CURLOPT_PATH_AS_IS, 1)
  }

  private func setRequest() throws(CurlStatus) {
    let request = ask.request
    try library.set(easy, CURLOPT_URL, (handle?.server ?? "") + request.url.target)
    // On a stale connection libcurl would send again, and would have to read the source again.
    let needsFreshConnection = !request.isRepeatable || request.source != nil
    try library.set(easy, CURLOPT_FRESH_CONNECT, needsFreshConnection ? 1 : 0)
    guard request.method != "HEAD" else { return }
    try library.set(easy, CURLOPT_CUSTOMREQUEST, request.method)
  }

  /// What the request's body is, or that it has none.
  private func setBody() throws(CurlStatus) {
    let request = ask.request
    guard request.method != "HEAD" else { return try library.set(easy, CURLOPT_NOBODY, 1) }
    if let source = request.source {
      try library.set(easy, CURLOPT_UPLOAD, 1)
      return try library.set(easy, CURLOPT_INFILESIZE_LARGE, size: source.count ?? -1)
    }
    // RFC 9110 section 8.6: these methods say `Content-Length: 0` when they have no body.
    if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      try library.set(easy, CURLOPT_POSTFIELDSIZE_LARGE, size: request.body.count)
      try setBody(request.body)
    }
  }

  /// Makes sure that what was checked is what is sent.
  private func setTarget(_ proxy: CurlTransport.Proxy) throws(CurlStatus) {
    // A proxy without a tunnel needs the absolute form, which libcurl makes (RFC 9112 section
    // 3.2.2).
    let origin = ask.request.url.origin
    if origin.isSecure || proxy.address(for: origin) == nil {
      try library.set(easy, CURLOPT_REQUEST_TARGET, ask.request.url.target)
    }
  }

  /// Gives libcurl its own copy of the body; an empty one must be a pointer all the same.
  private func setBody(_ body: [UInt8]) throws(CurlStatus) {
    let bytes = body.isEmpty ? [0] : body
    let library = library
    let easy = easy
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(CurlStatus) in
        try library.set(easy, CURLOPT_COPYPOSTFIELDS, pointer: buffer.baseAddress)
      }
    }
    try result.get()
  }

  /// The header lines in their order; libcurl's own additions are taken out unless they are given.
  private func setLines() throws(CurlStatus) {
    for field in ask.request.fields {
      // `Name;` is how libcurl writes a field without a value.
      let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      try append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    for name in ["Accept", "Content-Type", "Expect"] where ask.request.fields.first(name) == nil {
      try append("\(name):")
    }
    try library.set(easy, CURLOPT_HTTPHEADER, pointer: lines)
  }

  private func append(_ line: String) throws(CurlStatus) {
    // Without the copy that handing over the text itself would make.
    let longer = line.withCString { library.functions.pointee.curl_slist_append(lines, $0) }
    guard let longer else {
      throw library.status(CURLE_OUT_OF_MEMORY)
    }
    lines = longer
  }

  private func setLimits() throws(CurlStatus) {
    let limits = ask.request.limits
    try library.set(easy, CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
    // The whole time is the loop's to watch: libcurl judges it before it looks what has arrived.
  }

  private func setProxy(_ proxy: CurlTransport.Proxy) throws(CurlStatus) {
    let origin = ask.request.url.origin
    // Nothing of it is left to libcurl: an empty address is none, whatever the environment says.
    try library.set(easy, CURLOPT_PROXY, proxy.address(for: origin) ?? "")
    try library.set(easy, CURLOPT_NOPROXY, "")
    guard let credential = ask.route.proxyCredential, proxy.origin(for: origin) == credential.proxy
    else { return }
    // libcurl sends it to the proxy alone: with the request, or with what asks for the tunnel.
    try library.set(easy, CURLOPT_PROXYAUTH, 1)  // CURLAUTH_BASIC
    try library.set(easy, CURLOPT_PROXYUSERNAME, credential.user)
    try library.set(easy, CURLOPT_PROXYPASSWORD, credential.passwordText)
  }
}

extension Duration {
  /// In whole milliseconds, rounded up, within what libcurl takes; 0 would mean its own default.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 - 1 else { return Int(Int32.max) }
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Int(milliseconds))
  }
}

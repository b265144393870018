internal import CCurl
internal import GatebookAuthentication
internal import GatebookEvents

extension Transfer {
  /// Tells libcurl whom the account trusts; nothing over plain http.
  func setTrust(_ proxy: CurlTransport.Proxy) throws(CurlStatus) {
    let (origin, trust) = (ask.request.url.origin, ask.route.trust)
    guard origin.isSecure else { return }
    try library.set(easy, CURLOPT_SSL_VERIFYPEER, 1)
    try library.set(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if case .file(let path) = trust.authorities {
      try library.set(easy, CURLOPT_CAINFO, path)
      try library.set(easy, CURLOPT_CAPATH, nil)
    }
    try setClient(trust.client)
    let exceptions = trust.exceptions(host: origin.host, port: origin.port)
    // libcurl compares names too, unless the judge has to let a wrong one pass for one of the keys.
    let mayNameAnother = exceptions.contains { $0.defects.contains(.wrongHost) }
    try library.set(easy, CURLOPT_SSL_VERIFYHOST, mayNameAnother ? 0 : 2)
    try setKeys(pins: trust.pins, accepted: exceptions.map(\.key))
    // Only the judge can open a single key: without him nothing is relaxed.
    guard exceptions.isEmpty || canJudge(proxy) else { throw library.status(CURLE_NOT_BUILT_IN) }
  }

  /// Whether the certificate can be judged within the handshake.
  private func canJudge(_ proxy: CurlTransport.Proxy) -> Bool {
    library.handshake != nil && !proxy.isEncrypted(for: ask.request.url.origin)
  }

  private func setClient(_ client: ClientCertificate?) throws(CurlStatus) {
    guard let client else { return }
    try library.set(easy, CURLOPT_SSLCERT, client.certificate)
    try library.set(easy, CURLOPT_SSLKEY, client.key)
    // Else a path that looks like a token's address would be one.
    try library.set(easy, CURLOPT_SSLCERTTYPE, "PEM")
    try library.set(easy, CURLOPT_SSLKEYTYPE, "PEM")
    // Else OpenSSL asks the person at the terminal for the password of an encrypted key.
    try library.set(easy, CURLOPT_KEYPASSWD, "")
  }

  /// Lets libcurl compare the key a second time.
  private func setKeys(pins: [KeyHash], accepted: [KeyHash]) throws(CurlStatus) {
    let both = pins.filter(accepted.contains)
    let keys = !both.isEmpty ? both : pins.isEmpty ? accepted : pins
    guard !keys.isEmpty else { return }
    let list = keys.map { "sha256//" + $0.description.dropFirst("sha256/".count) }
    try library.set(easy, CURLOPT_PINNEDPUBLICKEY, list.joined(separator: ";"))
    // A resumed session shows no certificate: here every connection is judged again.
    try library.set(easy, CURLOPT_SSL_SESSIONID_CACHE, 0)
  }

  /// Each request has a judge of its own, who remembers what he was shown.
  func setJudge(_ proxy: CurlTransport.Proxy) throws(CurlStatus) {
    let origin = ask.request.url.origin
    guard origin.isSecure, canJudge(proxy) else { return }
    judge = CertificateJudge(origin, ask.route.trust)
    let transfer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    try library.set(easy, CURLOPT_SSL_CTX_DATA, pointer: transfer)
    try library.setHandshake(easy) { _, context, transfer in
      guard let context, let transfer = Transfer.at(transfer) else { return CURLE_OUT_OF_MEMORY }
      transfer.startedTLS = true
      guard let judge = transfer.judge,
        transfer.library.handshake?.install(judge, on: context) == true
      else { return CURLE_OUT_OF_MEMORY }
      return CURLE_OK
    }
  }
}

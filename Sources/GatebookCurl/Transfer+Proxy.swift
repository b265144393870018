internal import CCurl
internal import GatebookAuthentication
internal import GatebookEvents

extension Transfer {
  /// What a proxy on the way wants to know first; `nil` when none has asked.
  ///
  /// The tunnel's 407 is libcurl's own: of it only the schemes can be told.
  func proxyDemand(_ status: Int) -> ProxyDemand? {
    let origin = ask.request.url.origin
    guard let proxy = proxy.origin(for: origin) else { return nil }
    guard origin.isSecure else {
      guard status == 407 else { return nil }
      let fields = reader.fields.values(of: "Proxy-Authenticate")
      // RFC 9110 section 11.7.1: "A proxy MUST send at least one Proxy-Authenticate header field in
      // each 407 (Proxy Authentication Required) response that it generates."
      guard !fields.isEmpty else { return nil }
      let offered = ChallengeList.parse(fields)
      return ProxyDemand(
        proxy: proxy,
        offers: offered.map { ProxyDemand.Offer(scheme: $0.scheme, realm: $0.realm) })
    }
    guard told(CURLINFO_HTTP_CONNECTCODE) == 407 else { return nil }
    let bits = told(CURLINFO_PROXYAUTH_AVAIL)
    // The bits of `CURLAUTH_…`, which never change.
    let names = ["basic", "digest", "negotiate", "ntlm"]
    return ProxyDemand(
      proxy: proxy,
      offers: names.indices.filter { bits & (1 << $0) != 0 }.map {
        ProxyDemand.Offer(scheme: names[$0])
      })
  }
}

extension TransportFailure {
  /// A proxy let nothing through.
  ///
  /// Without a tunnel its answer looks like the server's: a request that must not be repeated
  /// counts as possibly sent.
  static func kept(by demand: ProxyDemand, _ request: HTTPRequest) -> TransportFailure {
    let origin = request.url.origin
    var failure = TransportFailure(
      GatebookError(
        .networkUnreachable, .proxy, of: "\(origin)", kept: GatebookError.sessionKept,
        remedy: "Register a challenge resolver, or give them with the proxy's address."),
      delivery: origin.isSecure || request.isRepeatable ? .notSent : .maybeSent)
    failure.proxy = demand
    return failure
  }
}

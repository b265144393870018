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
      let offered = ChallengeList.parse(reader.fields.values(of: "Proxy-Authenticate"))
      return ProxyDemand(
        proxy: proxy,
        offers: offered.map { ProxyDemand.Offer(scheme: $0.scheme, realm: $0.realm) })
    }
    var code = 0
    _ = curl_get_long(library.functions, easy, CURLINFO_HTTP_CONNECTCODE, &code)
    guard code == 407 else { return nil }
    var bits = 0
    _ = curl_get_long(library.functions, easy, CURLINFO_PROXYAUTH_AVAIL, &bits)
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
  static func kept(by demand: ProxyDemand, from origin: Origin) -> TransportFailure {
    var failure = TransportFailure(
      GatebookError(
        .networkUnreachable, "The proxy on the way to \(origin) asks for a name and a password.",
        kept: "The session is kept.",
        remedy: "Register a challenge resolver, or give them with the proxy's address."),
      delivery: .notSent)
    failure.proxy = demand
    return failure
  }
}

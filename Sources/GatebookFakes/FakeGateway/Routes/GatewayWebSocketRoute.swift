internal import COpenSSLTLS

/// `GET /gateway/websocketcall`: the opening handshake of a web socket, and then nothing more.
///
/// It serves tests of reachability: no frame is read or sent.
struct GatewayWebSocketRoute {
  private let request: LoopbackRequest

  init(_ request: LoopbackRequest) {
    self.request = request
  }

  /// Accepts, drops or refuses, as the switch says.
  func answer(_ fate: FakeGatewaySwitches.WebSocket) -> LoopbackReply {
    switch fate {
    case .drops: return .dropped
    case .refuses(let status):
      return GatewayPage.error(status, "The gateway takes no web socket, as it was told.")
    case .accepts: break
    }
    guard request.method == "GET" else { return GatewayPage.wrongMethod(allowed: "GET") }
    // RFC 6455 section 4.2.1: what an opening handshake has at the least.
    guard has("websocket", in: "Upgrade"), has("upgrade", in: "Connection"),
      let key = request.fields["Sec-WebSocket-Key"], Base64Text.decode(key)?.count == 16
    else { return GatewayPage.error(400, "This is no opening handshake of a web socket.") }
    // RFC 6455 section 4.2.2: another version is answered with those that there are.
    guard request.fields["Sec-WebSocket-Version"] == "13" else {
      return GatewayPage.error(426, "There is version 13 alone.")
        .with("Sec-WebSocket-Version", "13")
    }
    return LoopbackReply(
      status: 101,
      fields: [
        "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Accept": Self.acceptance(of: key),
      ], delivery: .held)
  }

  /// The proof that the handshake was read (RFC 6455 section 4.2.2, step 5.4): SHA-1 of the key and
  /// a fixed text, in Base64.
  static func acceptance(of key: String) -> String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    X509Draft.require(EVP_Digest(text, text.count, &digest, &count, EVP_sha1(), nil), "a digest")
    return Base64Text.encode(digest.prefix(Int(count)))
  }

  private func has(_ token: String, in field: String) -> Bool {
    let values = request.fields.values(of: field).flatMap { $0.split(separator: ",") }
    return values.contains { value in
      value.lowercased().split(separator: " ").elementsEqual([Substring(token)])
    }
  }
}

internal import GatebookCrypto

/// `GET /gateway/websocketcall`: the opening handshake of a web socket, and then nothing more.
///
/// It serves tests of reachability: no frame is read or sent.
enum GatewayWebSocketRoute {
  /// Accepts, drops or refuses, as the switch says.
  static func answer(
    _ request: LoopbackRequest, _ fate: FakeGatewaySwitches.WebSocket
  ) -> LoopbackReply {
    switch fate {
    case .drops: return .dropped
    case .refuses(let status):
      return GatewayState.page.error(status, "The gateway takes no web socket, as it was told.")
    case .accepts: break
    }
    // RFC 6455 section 4.2.1: what an opening handshake has at the least.
    guard has("websocket", in: "Upgrade", of: request),
      has("upgrade", in: "Connection", of: request),
      let key = request.fields["Sec-WebSocket-Key"], Base64Text.decode(key)?.count == 16
    else { return GatewayState.page.error(400, "This is no opening handshake of a web socket.") }
    // RFC 6455 section 4.2.2: another version is answered with those that there are.
    guard request.fields["Sec-WebSocket-Version"] == "13" else {
      return GatewayState.page.error(426, "There is version 13 alone.")
        .with("Sec-WebSocket-Version", "13")
    }
    return LoopbackReply(
      status: 101,
      fields: [
        "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Accept": acceptance(of: key),
      ], delivery: .held)
  }

  /// The proof that the handshake was read (RFC 6455 section 4.2.2, step 5.4): SHA-1 of the key and
  /// a fixed text, in Base64.
  static func acceptance(of key: String) -> String {
    Base64Text.encode(HashFunction.sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
  }

  private static func has(_ token: String, in field: String, of request: LoopbackRequest) -> Bool {
    let values = request.fields.values(of: field).flatMap { $0.split(separator: ",") }
    return values.contains { value in
      value.lowercased().split(separator: " ").elementsEqual([Substring(token)])
    }
  }
}

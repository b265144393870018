internal import GatebookEvents

extension HTTPReply {
  /// What a resource says of the token: the error codes of its challenges (RFC 6750 section 3.1, RFC
  /// 9449 section 7.1), and that of a JSON body, as some servers send it alone.
  var tokenErrors: Set<String> {
    var errors = Set(
      challenges.filter { ["bearer", "dpop"].contains($0.scheme) }.compactMap { $0["error"] })
    if body.count <= 64 << 10, let code = TokenRefusal.code(in: self) { errors.insert(code) }
    return errors
  }
}

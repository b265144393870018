/// One request on its way through a fake MobileFirst server, and the client it is from.
struct MobileFirstVisit: Sendable {
  let request: LoopbackRequest
  /// The path below `/<context>/api/`.
  let path: String
  var clientID: String?
  var status: Int?

  init(_ request: LoopbackRequest, path: String) {
    self.request = request
    self.path = path
  }
}

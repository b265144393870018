/// One request that a fake MobileFirst server received, and what it made of it.
public struct FakeMobileFirstRequest: Hashable, FakeServerVisit {
  /// The request as it came.
  public var request: LoopbackRequest
  /// The registered client that it named or proved to be; `nil` for none.
  public var clientID: String?
  /// The status that the server answered; `nil` when a fault came before it acted.
  public var status: Int?

  init(_ request: LoopbackRequest) {
    self.request = request
  }
}

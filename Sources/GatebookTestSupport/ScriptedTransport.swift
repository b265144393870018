public import Gatebook
internal import GatebookSystem

/// A transport that answers from a closure or a list and records what it was asked; no network.
public final class ScriptedTransport: Transport {
  /// Answers one request, or says why there is no answer.
  public typealias Script =
    @Sendable (HTTPRequest, Route) async throws(TransportFailure) -> HTTPReply

  /// One request with the route that it was sent through.
  public struct Call: Hashable, Sendable {
    /// The request.
    public var request: HTTPRequest
    /// Whose connections it may use.
    public var route: Route
  }

  private let script: Script
  private let sent = Locked<[Call]>([])

  /// Makes a transport that answers with a closure.
  public init(_ script: @escaping Script) {
    self.script = script
  }

  /// Makes a transport that gives these answers and failures in order.
  ///
  /// - Parameter answers: The answers; after the last one every request fails as not sent.
  public convenience init(_ answers: [Result<HTTPReply, TransportFailure>]) {
    let rest = Locked(answers[...])
    self.init { _, _ throws(TransportFailure) in
      guard let answer = rest.withLock({ $0.popFirst() }) else { throw Self.exhausted }
      return try answer.get()
    }
  }

  /// Makes a transport that gives these answers in order.
  public convenience init(_ answers: HTTPReply...) {
    self.init(answers.map { .success($0) })
  }

  /// What it was asked, in order, failures included.
  public var calls: [Call] { sent.withLock { $0 } }

  /// The requests it was asked to send, in order.
  public var requests: [HTTPRequest] { calls.map(\.request) }

  /// Records the request and answers by the script.
  public func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    sent.withLock { $0.append(Call(request: request, route: route)) }
    return try await script(request, route)
  }

  private static var exhausted: TransportFailure {
    TransportFailure(
      GatebookError(
        .networkUnreachable, "The scripted transport has no more answers.",
        remedy: "Give it one answer for every request that the test sends."),
      delivery: .notSent)
  }
}

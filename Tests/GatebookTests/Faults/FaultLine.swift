import Gatebook
import GatebookCurl
import GatebookFakes

/// The real transport to a fault proxy, which spoils the requests of a test's choice.
///
/// It counts requests as the book sends them. The time limit of a request whose answer is held is
/// short, that of all others is the book's own.
final class FaultLine: Transport {
  private struct State {
    var fault: LineFault?
    var from = 0
    var times = 0
    var patience = Duration.milliseconds(60)
    var sent: [HTTPRequest] = []
    /// All requests, over all counts.
    var all: [HTTPRequest] = []
  }

  private let state = TestBox(State())
  private let proxy: FaultProxy
  private let curl = CurlTransport()

  init(through proxy: FaultProxy) {
    self.proxy = proxy
  }

  /// Restarts the count and spoils the requests from the step on; steps count from 1.
  func arm(
    _ fault: LineFault, at step: Int = 1, times: Int = 1,
    patience: Duration = .milliseconds(60)
  ) {
    state.withLock { state in
      (state.fault, state.from, state.times, state.patience) = (fault, step, times, patience)
      state.sent = []
    }
  }

  /// Restarts the count and spoils nothing.
  func calm() {
    state.withLock { state in
      state.fault = nil
      state.sent = []
    }
  }

  /// What was sent since the count began.
  var sent: [HTTPRequest] { state.value.sent }

  /// What was ever sent.
  var all: [HTTPRequest] { state.value.all }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let (fault, patience) = state.withLock { state -> (LineFault?, Duration) in
      state.sent.append(request)
      state.all.append(request)
      let isHit = (0..<state.times).contains(state.sent.count - state.from)
      return (isHit ? state.fault : nil, state.patience)
    }
    guard let fault else { return try await curl.send(request, through: route) }
    guard let spoilt = fault.proxyFault else {
      proxy.stop()
      defer { try? proxy.start() }
      return try await curl.send(request, through: route)
    }
    proxy.inject(spoilt)
    var request = request
    if fault == .held { request.limits.total = patience }
    defer { proxy.release() }
    return try await curl.send(request, through: route)
  }
}

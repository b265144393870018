internal import Gatebook
internal import GatebookCurl
internal import GatebookSystem

/// Requests over libcurl, by so many callers at once: each sends its next one when it has the
/// answer.
///
/// `tools/benchmarks/requests.c` sends the same ones.
struct TransportBench {
  let request: HTTPRequest
  let callers: Int
  let requests: Int

  /// How long the body of every answer is.
  private static let bodySize = 1024

  init?(url: String, token: String, callers: Int, requests: Int) {
    guard let url = HTTPURL(url) else { return nil }
    request = HTTPRequest("GET", url, fields: [HTTPField("Authorization", "Bearer \(token)")])
    self.callers = callers
    self.requests = requests
  }

  /// Measures how fast they are, and by how much the process has grown since the first tenth.
  func run() async throws(GatebookError) {
    let transport = CurlTransport()
    // The connections are made, and the heap has its size.
    _ = try await send(max(1, requests / 10 / callers), through: transport)
    let before = Footprint()
    let start = ContinuousClock.now
    let latencies = try await send(requests / callers, through: transport)
    let duration = ContinuousClock.now - start
    let rate = Latencies.rate(requests / callers * callers, in: duration)
    print("\(rate) \(latencies.summary) \(Footprint().summary(since: before))")
  }

  private func send(
    _ share: Int, through transport: CurlTransport
  ) async throws(GatebookError) -> Latencies {
    let results = await withTaskGroup(of: Result<Latencies, GatebookError>.self) { group in
      for _ in 0..<callers {
        group.addTask { await sendInTurn(share, through: transport) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var latencies = Latencies()
    for result in results { latencies.add(try result.get()) }
    return latencies
  }

  private func sendInTurn(
    _ count: Int, through transport: CurlTransport
  ) async -> Result<Latencies, GatebookError> {
    let route = Route(pool: "bench")
    var latencies = Latencies()
    for _ in 0..<count {
      let begun = ContinuousClock.now
      do throws(TransportFailure) {
        let reply = try await transport.send(request, through: route)
        guard reply.status == 200, reply.body.count == Self.bodySize else {
          return .failure(Self.unexpected(reply))
        }
      } catch {
        return .failure(error.error)
      }
      latencies.add(ContinuousClock.now - begun)
    }
    return .success(latencies)
  }

  private static func unexpected(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .contentUnexpected, "The server answered \(reply.status) with \(reply.body.count) bytes.",
      remedy: "Check the server.")
  }
}

// Foundation's URLSession: the same requests as GatebookBench's `transport`.
//
// A program of its own, compiled by swiftc: Foundation gets into no other.
//
// Usage: urlsession URL TOKEN CALLERS REQUESTS

import Foundation
import FoundationNetworking

@main
struct Requests {
  static let bodySize = 1024

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let url = URL(string: words[1]), let callers = Int(words[3]),
      let requests = Int(words[4])
    else { exit(2) }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(words[2])", forHTTPHeaderField: "Authorization")
    let settings = URLSessionConfiguration.ephemeral
    settings.urlCache = nil
    settings.httpMaximumConnectionsPerHost = callers
    let session = URLSession(configuration: settings)
    _ = try await send(request, max(1, requests / 10 / callers), callers, session)
    let start = ContinuousClock.now
    var times = try await send(request, requests / callers, callers, session)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    times.sort()
    func at(_ share: Double) -> Double { times[Int(Double(times.count) * share)] * 1e6 }
    print(
      "rate=\(Int(Double(times.count) / seconds)) p50us=\(at(0.5)) p99us=\(at(0.99))")
  }

  static func send(
    _ request: URLRequest, _ share: Int, _ callers: Int, _ session: URLSession
  ) async throws -> [Double] {
    try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<callers {
        group.addTask {
          var times: [Double] = []
          for _ in 0..<share {
            let begun = ContinuousClock.now
            let (body, answer) = try await session.data(for: request)
            guard (answer as? HTTPURLResponse)?.statusCode == 200, body.count == bodySize else {
              exit(2)
            }
            times.append((ContinuousClock.now - begun) / .seconds(1))
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}

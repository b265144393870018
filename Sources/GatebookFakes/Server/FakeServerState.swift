internal import Gatebook

/// What one kind of fake server knows, and how it answers; always protected by its lock.
protocol FakeServerState: Sendable {
  /// What the server calls itself.
  static var page: FakePage { get }

  /// Everything that was ever given out and must stay secret, in order.
  var issued: [String] { get set }

  /// Takes the time, and how the server is reached, before it answers a request.
  mutating func begin(at moment: Moment, isSecure: Bool)

  /// Answers one request.
  mutating func answer(_ request: LoopbackRequest) -> LoopbackReply

  /// What `Date` says at a time of the server's clock.
  func told(_ wall: Timestamp) -> Timestamp

  /// Forgets what does not outlive a stop.
  mutating func stop()
}

extension FakeServerState {
  /// Gives out a text that must stay secret, recorded as such.
  mutating func issue(_ secret: String) -> String {
    issued.append(secret)
    return secret
  }

  mutating func begin(at moment: Moment, isSecure: Bool) {}

  func told(_ wall: Timestamp) -> Timestamp { wall }

  mutating func stop() {}
}

/// A request on its way through a fake server, and in its log afterwards.
protocol FakeServerVisit: FakeServerRequest {
  var request: LoopbackRequest { get set }
  /// The status that the server answered; `nil` when a fault came before it acted.
  var status: Int? { get set }

  init(_ request: LoopbackRequest)
}

/// A route of a fake server: which requests it takes, and what becomes of them.
struct ServerRoute<State: RoutedServerState>: Sendable {
  typealias Answer = @Sendable (inout State, inout State.Visit) -> LoopbackReply

  /// The path, still encoded; one that ends in `/*` stands for all below it.
  let path: String
  let methods: [String]
  /// Answers one request, and notes on it what it made of it.
  let answer: Answer

  /// Makes a route; without methods it takes all.
  init(_ route: State.Route, _ methods: String..., answer: @escaping Answer) {
    path = route.rawValue
    self.methods = methods
    self.answer = answer
  }
}

/// A fake server with routes, which notes what it made of each request.
protocol RoutedServerState: FakeServerState {
  associatedtype Visit: FakeServerVisit
  associatedtype Route: RawRepresentable<String>

  /// All routes; the first one that fits a path is meant.
  static var routes: [ServerRoute<Self>] { get }

  /// What was made of the requests, by number.
  var visits: [Int: Visit] { get set }

  /// Lets a request through to its route, or does not.
  mutating func admit(_ visit: inout Visit) -> LoopbackReply

  /// A request of the log with what the server knows about it, whatever became of it.
  func told(_ visit: Visit) -> Visit
}

extension RoutedServerState {
  mutating func answer(_ request: LoopbackRequest) -> LoopbackReply {
    var visit = Visit(request)
    let reply = admit(&visit)
    visit.status = reply.status
    visits[request.number] = visit
    return reply
  }

  mutating func admit(_ visit: inout Visit) -> LoopbackReply {
    pass(&visit)
  }

  /// Brings a request to its route.
  mutating func pass(_ visit: inout Visit) -> LoopbackReply {
    let path = visit.request.path
    guard let route = Self.routes.first(where: { LoopbackFault.fits($0.path, path) }) else {
      return Self.page.error(404, "There is nothing here.")
    }
    guard route.methods.isEmpty || route.methods.contains(visit.request.method) else {
      // RFC 9110 section 15.5.6.
      let allowed = route.methods.joined(separator: ", ")
      return Self.page.error(405, "This is done with \(allowed).").with("Allow", allowed)
    }
    return route.answer(&self, &visit)
  }

  func told(_ visit: Visit) -> Visit { visit }
}

/// The HTML pages of a fake server; every one says that it is a fake.
struct FakePage: Sendable {
  /// What the server calls itself.
  let name: String
  /// What it is a fake of, such as `portal`.
  let kind: String

  /// A page.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - status: The status.
  ///   - head: More lines of its head.
  ///   - body: More lines of its body.
  /// - Returns: The answer.
  func page(
    _ text: String, status: Int = 200, head: String = "", body: String = ""
  ) -> LoopbackReply {
    .html(
      """
      <!DOCTYPE html>
      <html>
      <head>
      <title>\(name)</title>
      \(head)</head>
      <body>
      <h1>\(name)</h1>
      <p>This is not a \(kind) but a fake of one, made for tests.</p>
      <p>\(text)</p>
      \(body)</body>
      </html>

      """, status: status)
  }

  /// An error page.
  func error(_ status: Int, _ text: String) -> LoopbackReply {
    page("HTTP status \(status): \(text)", status: status)
  }
}

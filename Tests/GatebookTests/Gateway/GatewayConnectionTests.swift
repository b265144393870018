import Gatebook
import Testing

@Suite struct GatewayConnectionTests {
  /// A connection with the times of its inputs in milliseconds.
  private struct Line {
    var connection: GatewayConnection

    init(_ change: (inout GatewayConnection.Settings) -> Void = { _ in }) {
      var settings = GatewayConnection.Settings()
      change(&settings)
      connection = GatewayConnection(settings)
    }

    static func moment(_ time: Int) -> Moment {
      Moment(
        wall: Timestamp(rawValue: 1_700_000_000_000_000) + .milliseconds(time),
        boot: .milliseconds(time))
    }

    mutating func at(
      _ time: Int, _ input: GatewayConnection.Input
    ) -> [GatewayConnection.Output] {
      connection.next(input, at: Self.moment(time))
    }

    /// Connected at once, at 0.
    static func connected(
      _ change: (inout GatewayConnection.Settings) -> Void = { _ in }
    ) -> Line {
      var line = Line(change)
      _ = line.at(0, .reachable(true))
      _ = line.at(0, .start)
      _ = line.at(0, .connected)
      return line
    }

    /// Lost: all tries failed as soon as they began.
    static func lost() -> (line: Line, time: Int) {
      var line = connected()
      _ = line.at(0, .dropped)
      var time = 0
      for delay in [500, 1000, 2000, 4000, 4000, 4000, 4000] {
        time += delay
        _ = line.at(time, .timer)
        _ = line.at(time, .failedToStart)
      }
      return (line, time)
    }
  }

  private static func wait(_ time: Int) -> GatewayConnection.Output {
    .wait(until: Line.moment(time))
  }

  @Test func `nothing is tried before the network is known to be reachable`() {
    var line = Line()
    #expect(line.at(0, .start).isEmpty)
    #expect(line.connection.state == .paused)
    #expect(line.at(5, .reachable(true)) == [.connect, Self.wait(7005)])
    #expect(line.at(6, .connected).isEmpty)
    #expect(line.connection.state == .connected)
    var other = Line()
    #expect(other.at(0, .reachable(true)).isEmpty)
    #expect(other.at(0, .start) == [.connect, Self.wait(7000)])
  }

  @Test func `a drop is retried after 0.5, 1, 2, 4, 4, 4, 4 s, then the connection is lost`() {
    var line = Line.connected()
    var time = 1000
    var outputs = line.at(time, .dropped)
    for (index, delay) in [500, 1000, 2000, 4000, 4000, 4000, 4000].enumerated() {
      #expect(
        outputs == [
          .willRetryConnection(attempt: index + 1, delay: .milliseconds(delay)),
          Self.wait(time + delay),
        ])
      time += delay
      #expect(line.at(time, .timer) == [.connect, Self.wait(time + 7000)])
      #expect(line.connection.attempt == index + 1)
      outputs = line.at(time, .failedToStart)
    }
    #expect(outputs == [.didLoseConnection])
    #expect(line.connection.state == .lost)
  }

  @Test(arguments: 1...7)
  func `success at any try re-establishes and restarts the count`(_ tries: Int) {
    var line = Line.connected()
    _ = line.at(0, .dropped)
    var time = 0
    for attempt in 1...tries {
      time += 5000
      #expect(line.at(time, .timer).first == .connect)
      if attempt < tries { _ = line.at(time, .dropped) }
    }
    #expect(line.at(time, .connected) == [.didReestablishConnection])
    #expect(line.connection.attempt == 0)
    let again = line.at(time, .dropped)
    #expect(again.first == .willRetryConnection(attempt: 1, delay: .milliseconds(500)))
  }

  @Test func `a start that hangs for 7 s counts as failed`() {
    var line = Line.connected()
    _ = line.at(0, .dropped)
    #expect(line.at(500, .timer) == [.connect, Self.wait(7500)])
    #expect(line.at(7499, .timer) == [Self.wait(7500)])
    #expect(
      line.at(7500, .timer)
        == [.willRetryConnection(attempt: 2, delay: .seconds(1)), Self.wait(8500)])
  }

  @Test func `a first start that fails is a matter of the connection, not of the login`() {
    var line = Line()
    _ = line.at(0, .reachable(true))
    _ = line.at(0, .start)
    #expect(
      line.at(10, .failedToStart)
        == [.willRetryConnection(attempt: 1, delay: .milliseconds(500)), Self.wait(510)])
  }

  @Test func `the retries pause while the network is away and continue at once when it is back`() {
    var line = Line.connected()
    _ = line.at(0, .dropped)
    _ = line.at(500, .timer)
    _ = line.at(500, .dropped)
    #expect(line.at(600, .reachable(false)).isEmpty)
    #expect(line.connection.state == .paused)
    #expect(line.at(1500, .timer).isEmpty)
    #expect(line.at(900_000, .timer).isEmpty)
    #expect(
      line.at(1_000_000, .reachable(true))
        == [.willRetryConnection(attempt: 2, delay: .zero), .connect, Self.wait(1_007_000)])
    #expect(
      line.at(1_000_001, .dropped)
        == [.willRetryConnection(attempt: 3, delay: .seconds(2)), Self.wait(1_002_001)])
  }

  @Test func `a try that the network interrupts is not counted`() {
    var line = Line.connected()
    _ = line.at(0, .dropped)
    _ = line.at(500, .timer)
    _ = line.at(501, .reachable(false))
    #expect(line.at(502, .dropped).isEmpty)
    #expect(
      line.at(600, .reachable(true)).first == .willRetryConnection(attempt: 1, delay: .zero))
  }

  @Test func `a short loss of the network does not end a connection`() {
    var line = Line.connected()
    #expect(line.at(10, .reachable(false)).isEmpty)
    #expect(line.at(20, .reachable(true)).isEmpty)
    #expect(line.connection.state == .connected)
    #expect(line.at(30, .reachable(false)).isEmpty)
    #expect(line.at(40, .dropped).isEmpty)
    #expect(
      line.at(50, .reachable(true))
        == [.willRetryConnection(attempt: 1, delay: .zero), .connect, Self.wait(7050)])
  }

  @Test func `another interface is a loss and a return`() {
    var line = Line.connected()
    #expect(line.at(1, .interfaceChanged).isEmpty)
    #expect(line.connection.state == .connected)
    _ = line.at(2, .dropped)
    #expect(
      line.at(3, .interfaceChanged)
        == [.willRetryConnection(attempt: 1, delay: .zero), .connect, Self.wait(7003)])
    #expect(line.at(600, .timer) == [Self.wait(7003)])
    var waiting = Line()
    _ = waiting.at(0, .start)
    #expect(waiting.at(1, .interfaceChanged) == [.connect, Self.wait(7001)])
  }

  @Test func `a stop ends all retries`() {
    var line = Line.connected()
    _ = line.at(0, .dropped)
    #expect(line.at(100, .stop).isEmpty)
    for input in [
      GatewayConnection.Input.timer, .reachable(false), .reachable(true), .connected, .dropped,
      .failedToStart, .systemFailure, .loggedIn, .loginFailed,
    ] {
      #expect(line.at(10_000, input).isEmpty, "\(input)")
    }
    #expect(line.connection.state == .idle)
    #expect(line.at(20_000, .start).first == .connect)
  }

  @Test func `defect 10: after the last retry nothing starts automatically`() {
    var (line, time) = Line.lost()
    #expect(line.connection.state == .lost)
    for input in [
      GatewayConnection.Input.timer, .reachable(false), .reachable(true), .interfaceChanged,
      .connected, .dropped, .failedToStart, .loginFailed,
    ] {
      time += 10_000
      #expect(line.at(time, input).isEmpty, "\(input)")
    }
    #expect(line.at(time, .start).first == .connect)
    #expect(line.connection.attempt == 0)
  }

  @Test func `the gateway's own failure ends the session at once, in every state`() {
    var connected = Line.connected()
    #expect(connected.at(1, .systemFailure) == [.didEndSession])
    #expect(connected.at(2, .systemFailure).isEmpty)
    #expect(connected.at(3, .start).isEmpty)
    var waiting = Line.connected()
    _ = waiting.at(0, .dropped)
    #expect(waiting.at(1, .systemFailure) == [.didEndSession])
    #expect(waiting.at(500, .timer).isEmpty)
    var lost = Line.lost()
    #expect(lost.line.at(lost.time, .systemFailure) == [.didEndSession])
    #expect(lost.line.at(lost.time, .loggedIn).first == .connect)
  }

  @Test func `automatic logins come at most twice in a row, 30 s apart`() {
    var line = Line.connected { $0.logsInAgain = true }
    #expect(line.at(1000, .systemFailure) == [.didEndSession, .logInAgain])
    #expect(line.at(1100, .loggedIn) == [.connect, Self.wait(8100)])
    _ = line.at(1200, .connected)
    #expect(line.at(1300, .systemFailure) == [.didEndSession, Self.wait(31_000)])
    #expect(line.at(30_999, .timer) == [Self.wait(31_000)])
    #expect(line.at(31_000, .timer) == [.logInAgain])
    _ = line.at(31_100, .loggedIn)
    _ = line.at(31_200, .connected)
    #expect(line.at(31_300, .systemFailure) == [.didEndSession])
    #expect(line.at(99_000, .timer).isEmpty)
    // A person logs in: a new row.
    _ = line.at(100_000, .loggedIn)
    _ = line.at(100_100, .connected)
    #expect(line.at(100_200, .systemFailure) == [.didEndSession, .logInAgain])
  }

  @Test func `a connection that stood for 30 s ends a row of logins`() {
    var line = Line.connected { $0.logsInAgain = true }
    for round in 0..<5 {
      let time = round * 100_000
      #expect(line.at(time + 40_000, .systemFailure) == [.didEndSession, .logInAgain])
      _ = line.at(time + 40_001, .loggedIn)
      _ = line.at(time + 40_002, .connected)
    }
  }

  @Test func `a login that failed is not tried again, and none is without the network`() {
    var line = Line.connected { $0.logsInAgain = true }
    _ = line.at(0, .reachable(false))
    #expect(line.at(1, .systemFailure) == [.didEndSession])
    #expect(line.at(2, .reachable(true)) == [.logInAgain])
    #expect(line.at(3, .loginFailed).isEmpty)
    #expect(line.at(4, .interfaceChanged).isEmpty)
    #expect(line.at(40_000, .timer).isEmpty)
    #expect(line.connection.state == .ended)
  }

  @Test func `delays are settings`() {
    var line = Line.connected { $0.delays = [.seconds(9)] }
    #expect(
      line.at(0, .dropped) == [
        .willRetryConnection(attempt: 1, delay: .seconds(9)), Self.wait(9000),
      ])
    _ = line.at(9000, .timer)
    #expect(line.at(9000, .dropped) == [.didLoseConnection])
    var none = Line.connected { $0.delays = [] }
    #expect(none.at(0, .dropped) == [.didLoseConnection])
  }
}

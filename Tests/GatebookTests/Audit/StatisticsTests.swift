import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// The head figures of histories that the real book made.
@Suite struct StatisticsTests {
  @Test func `the head figures are what happened`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let start = world.clock.now().wall
    let ada = try await book.logIn(.basic())
    _ = try? await book.logIn(.basic(password: "wrong"))
    world.clock.advance(by: .seconds(2 * 86_400))
    var figures = try await book.statistics()
    #expect(figures.accounts == 1)
    #expect(figures.openSessions == 1)
    #expect(figures.tally.logins == 1)
    #expect(figures.tally.failedLogins == 1)
    #expect(figures.tally.logouts == 0)
    #expect(figures.first == start)
    #expect(figures.last == start)
    #expect(figures.bytes > 4096)
    try await book.logOut(ada.account)
    figures = try await book.statistics()
    #expect(figures.openSessions == 0)
    #expect(figures.tally.logouts == 1)
    #expect(figures.last == world.clock.now().wall)
    #expect(figures.tally.events == figures.bookEvents)
    #expect(Int64(try world.kinds().count) == figures.bookEvents)
    let reader = try BookReader.open(at: world.path)
    let days = try await book.tallyByDay()
    #expect(days.count == 2)
    #expect(days[Day(of: start)]?.logins == 1)
    #expect(days[Day(of: world.clock.now().wall)]?.logouts == 1)
    let first = Day(of: start)
    #expect(try await book.statistics(on: first...first).tally == days[first])
    #expect(try await book.statistics(on: first...first).last == start)
    let own = try await book.statistics(of: ada.account)
    #expect(own.tally == (try await book.tallyByAccount()[ada.account]))
    #expect(own.tally.events < figures.tally.events)
    // Accounts on some days are read from the log, and what belongs to no account counts as its
    // own.
    var parts: [AccountID?: Tally] = [:]
    for day in days.keys {
      for (account, tally) in try reader.tallyByAccount(on: day...day) {
        parts[account, default: Tally()].add(tally)
      }
      #expect(
        try reader.tallyByAccount(on: day...day)[ada.account]
          == (try reader.tallyByDay(of: ada.account)[day]))
    }
    let all = Day(of: Timestamp(rawValue: .min))...Day(of: Timestamp(rawValue: .max))
    #expect(parts == (try reader.tallyByAccount()))
    #expect(parts == (try reader.tallyByAccount(on: all)))
  }

  @Test func `a day begins at midnight in UTC, also before 1970`() {
    #expect(Day(of: Timestamp(rawValue: 0)).rawValue == 0)
    #expect(Day(of: Timestamp(rawValue: -1)).rawValue == -1)
    #expect(Day(of: Timestamp(rawValue: 86_400_000_000 - 1)).rawValue == 0)
    #expect(Day(of: Timestamp(rawValue: 86_400_000_000)).rawValue == 1)
    #expect(Day(of: Timestamp(rawValue: -86_400_000_000)).rawValue == -1)
    #expect(Day(rawValue: -1).start.rawValue == -86_400_000_000)
    #expect(Day(of: Timestamp(rawValue: .max)).start <= Timestamp(rawValue: .max))
    #expect(Day(of: Timestamp(rawValue: .min)).start == Timestamp(rawValue: .min))
  }
}

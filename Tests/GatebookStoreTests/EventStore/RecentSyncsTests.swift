import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct RecentSyncsTests {
  struct Case: Sendable {
    /// Milliseconds, and how many shared each sync.
    let syncs: [(Double, Int)]
    /// What the last commit took beside its sync, in milliseconds.
    var rest = 0.0
    let areQuick: Bool
    /// Microseconds.
    let patience: Int
  }

  private static let cases = [
    Case(syncs: [], areQuick: false, patience: 0),
    Case(syncs: [(0.2, 1), (0.2, 1)], areQuick: false, patience: 50),
    Case(syncs: [(0.2, 1), (0.2, 1), (0.4, 1)], areQuick: true, patience: 100),
    Case(syncs: [(0.2, 1), (0.2, 1), (1, 1)], areQuick: true, patience: 250),
    // A slow one, or one that callers shared, has to be followed by three others.
    Case(syncs: [(0.2, 1), (0.2, 1), (1.1, 1)], areQuick: false, patience: 250),
    Case(syncs: [(0.2, 1), (0.2, 1), (0.2, 1)], rest: 0.9, areQuick: false, patience: 50),
    Case(syncs: [(40, 1), (0.2, 1), (0.2, 1), (0.2, 1)], areQuick: true, patience: 50),
    Case(syncs: [(0.2, 1), (0.2, 1), (0.2, 1), (0.2, 2)], areQuick: false, patience: 50),
    Case(syncs: [(0.2, 9), (0.2, 1), (0.2, 1)], areQuick: false, patience: 50),
  ]

  @Test(arguments: cases)
  func `three quick syncs of callers alone make the next one likely to be quick`(_ test: Case) {
    var recent = RecentSyncs()
    for (index, (milliseconds, members)) in test.syncs.enumerated() {
      let rest = index == test.syncs.count - 1 ? test.rest : 0
      recent.add(
        .milliseconds(milliseconds), of: .milliseconds(milliseconds + rest), ofGroup: members)
    }
    #expect(recent.areQuick == test.areQuick)
    #expect(recent.patience == .microseconds(test.patience))
  }
}

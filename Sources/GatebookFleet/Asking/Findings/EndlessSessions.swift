internal import Gatebook
internal import GatebookEvents

/// `FindingRule.endlessSession` in the books of a fleet: sessions that can be used, and nobody has
/// used for long.
struct EndlessSessions {
  let selection: FleetSelection
  let connection: FleetConnection

  /// The findings.
  func findings(at now: Moment) throws(GatebookError) -> [FleetFinding] {
    var findings: [FleetFinding] = []
    var rest = selection.books[...]
    while !rest.isEmpty {
      let states = try FleetStates.read(
        rest.prefix(FleetStates.pageSize), [.account], of: selection.accounts, connection)
      rest = rest.dropFirst(FleetStates.pageSize)
      findings += try self.findings(states, at: now)
    }
    return findings
  }

  private func findings(
    _ states: [FleetStates], at now: Moment
  ) throws(GatebookError) -> [FleetFinding] {
    var suspects: [(book: FleetBook, id: AccountID, state: AccountState, place: EventPlace)] = []
    for present in states {
      for (id, state) in present.accounts
      where state.state.isUsable && state.unrecordedEnd(at: now) == nil
        && Finding(endless: id, state, lastEventAt: state.since, now) != nil
      {
        suspects.append(
          (present.book, id, state, selection.place(of: state.position, in: present.book)))
      }
    }
    let events = try FleetEvents(connection).at(suspects.map(\.place))
    return suspects.compactMap { suspect in
      guard let last = events[suspect.place],
        let finding = Finding(endless: suspect.id, suspect.state, lastEventAt: last.at, now)
      else { return nil }
      return FleetFinding(finding, in: suspect.book)
    }
  }
}

public import Gatebook
internal import GatebookEvents

extension FleetReader {
  /// The accounts of books, in the order of their machines' names, then in which they were added.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - now: Expiries and offline limits count as of this time, even if nothing recorded them.
  ///   - body: Takes the accounts of some books.
  /// - Throws: `configuration.invalid` for a book or an account that there is not; `fleet`
  ///   failures; what `body` throws.
  public func accounts(
    _ scope: FleetScope = FleetScope(), at now: Timestamp,
    _ body: @escaping FleetPageReader<SessionContext>
  ) async throws(GatebookError) {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      var rest = selection.books[...]
      while !rest.isEmpty {
        let states = try FleetStates.read(
          rest.prefix(FleetStates.pageSize), [.account, .roster], of: selection.accounts, connection
        )
        rest = rest.dropFirst(FleetStates.pageSize)
        let page = try FleetContexts(selection, states, connection).page(at: .past(now))
        guard try await body(page) else { return }
      }
    }
  }

  /// The sessions of books, in the order of their machines' names, then of their logins.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - now: Expiries count as of this time, even if nothing recorded them.
  ///   - body: Takes the sessions of some books.
  /// - Throws: As ``accounts(_:at:_:)``.
  public func sessions(
    _ scope: FleetScope = FleetScope(), at now: Timestamp,
    _ body: @escaping FleetPageReader<SessionSummary>
  ) async throws(GatebookError) {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      var rest = selection.books[...]
      while !rest.isEmpty {
        let states = try FleetStates.read(
          rest.prefix(FleetStates.pageSize), [.account, .session], of: selection.accounts,
          connection)
        rest = rest.dropFirst(FleetStates.pageSize)
        var page = FleetPage<SessionSummary>()
        for present in states {
          if present.isDamaged { page.unreadable.append(present.book) }
          let sessions = SessionSummary.list(
            present.sessions, of: selection.accounts?.of(present.book.id),
            present.accounts.map(\.state), at: .past(now))
          page.entries += sessions.map { FleetEntry(book: present.book, value: $0) }
        }
        guard try await body(page) else { return }
      }
    }
  }
}

extension Moment {
  /// A moment of which only the wall clock is known: that of another machine.
  static func past(_ wall: Timestamp) -> Moment { Moment(wall: wall, boot: .zero) }
}

/// Makes the contexts of accounts from their stored states.
private struct FleetContexts {
  let selection: FleetSelection
  let states: [FleetStates]
  /// The events that the states name, and have no personal facts.
  private let plain: Set<EventPlace>

  init(
    _ selection: FleetSelection, _ states: [FleetStates], _ connection: FleetConnection
  ) throws(GatebookError) {
    self.selection = selection
    self.states = states
    let places = states.flatMap { present in
      present.accounts.flatMap { account in
        [account.state.person, account.state.label, account.state.attributes].compactMap(\.self)
          .map { selection.place(of: $0, in: present.book) }
      }
    }
    let events = FleetEvents(connection)
    let found = try events.at(places)
    let kept = try events.kept(places.filter { found[$0] == nil })
    plain = Set(found.filter { !$0.value.hasPersonal }.keys)
      .union(kept.filter { !$0.value }.keys)
  }

  func page(at now: Moment) throws(GatebookError) -> FleetPage<SessionContext> {
    var page = FleetPage<SessionContext>()
    for present in states {
      if present.isDamaged { page.unreadable.append(present.book) }
      for (id, state) in present.accounts {
        let context = try SessionContext(
          id, state, isCurrent: present.roster.current == id, at: now
        ) { (position) throws(GatebookError) in
          if plain.contains(selection.place(of: position, in: present.book)) { return .known([:]) }
          return state.state == .ended(.erased) ? .forgotten : .sealed
        }
        page.entries.append(FleetEntry(book: present.book, value: context))
      }
    }
    return page
  }
}

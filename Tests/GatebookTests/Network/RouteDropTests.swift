import Testing

/// The kernel's own word, in a network namespace where it can be made to give it.
@Suite struct RouteDropTests {
  @Test(
    .enabled(
      if: NamespaceProcess.isAllowed,
      "`unshare -rn` does not work here: this machine makes no network namespaces"))
  func `the monitor tells within a second that the only route is gone, or is back`() throws {
    let process = try NamespaceProcess("RouteDrop", limit: 60)
    #expect(process.exit == 0, "\(process.lines)")
    let told = process.lines.compactMap { line in
      line.wholeMatch(of: /(.+): (\w+) after (\d+) ms/).flatMap { match in
        Int(match.output.3).map { (step: "\(match.output.1): \(match.output.2)", time: $0) }
      }
    }
    #expect(
      told.map(\.step) == [
        "a link with an address: attached", "the only route: everywhere",
        "the route dropped: attached", "the route again: everywhere", "the link dropped: nowhere",
        "all again: everywhere", "the address dropped: nowhere",
      ])
    for (step, time) in told { #expect(time < 1000, "\(step)") }
  }
}

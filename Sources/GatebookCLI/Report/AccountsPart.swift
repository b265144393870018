internal import Gatebook

/// The lanes' figures as a table: all that the picture says, for those who cannot see it.
struct AccountsPart {
  let content: ReportContent

  var html: HTML {
    """
    <details><summary>The accounts as a table</summary><div class="scroll" tabindex="0" \
    role="region" aria-label="The accounts as a table"><table><caption>Accounts, the one with the \
    newest event first</caption><thead><tr><th scope="col">Account</th><th scope="col">Method</th>\
    <th scope="col">State</th><th scope="col" class="number">Events</th>\
    <th scope="col" class="number">Logins</th><th scope="col" class="number">Refreshes</th>\
    <th scope="col" class="number">Challenges</th><th scope="col" class="number">Failures</th>\
    <th scope="col" class="number">Resumed offline</th><th scope="col">First</th>\
    <th scope="col">Last</th></tr></thead><tbody>
    \(HTML.lines(content.report.lanes.map(row) + content.silent.map(silentRow)))</tbody></table></div></details>

    """
  }

  /// An account whose events are all in the archive.
  private func silentRow(_ context: SessionContext) -> HTML {
    let owner = ReportLane.Owner.account(
      context.account, method: context.method, server: context.server)
    let cells = (0..<ReportMark.allCases.count + 2).map { _ in
      HTML("<td class=\"number\">0</td>")
    }
    return """
      <tr><th scope="row">\(content.names.text(owner))</th><td>\(context.method)</td>\
      <td>\(context.state.text)</td>\(cells.reduce("", +))<td></td><td></td></tr>
      """
  }

  private func row(_ lane: ReportLane) -> HTML {
    let method: String = if case .account(_, let name, _) = lane.owner { name } else { "" }
    let counts = lane.counts
    let numbers =
      [Int(lane.events)] + ReportMark.allCases.map { counts[$0] } + [lane.offline]
    let cells = numbers.map { number -> HTML in
      "<td class=\"number\">\(Figure.text(number))</td>"
    }
    return """
      <tr><th scope="row">\(content.names.text(lane.owner))</th><td>\(method)</td>\
      <td>\(lane.state?.text ?? "")</td>\(cells.reduce("", +))\
      <td>\(lane.first.map(content.times.text) ?? "")</td>\
      <td>\(lane.last.map(content.times.text) ?? "")</td></tr>
      """
  }
}

internal import Gatebook
internal import GatebookEvents
internal import GatebookSystem

/// How much memory an app has that does nothing but keep a book open.
struct IdleBench {
  let path: String
  /// Whether it also keeps the context of each account and has used each session.
  let keepsAccounts: Bool

  func run() async throws(GatebookError) {
    let book = try await AccountsBook(path: path).open()
    var contexts = [try await book.currentContext()].compactMap(\.self)
    if keepsAccounts, let url = AccountsBook.url {
      contexts = try await book.accounts()
      for context in contexts { _ = try await book.credential(of: context.account, for: url) }
    }
    // What an open began beside its caller has ended then.
    try? await Task.sleep(for: .milliseconds(50))
    print(
      "kib=\(Self.status("VmRSS")) anonymouskib=\(Self.status("RssAnon"))",
      "accounts=\(contexts.count)")
    await book.close()
  }

  /// A line of what the system says of the process, in KiB.
  private static func status(_ name: String) -> Int {
    let lines = Files.text(of: "/proc/self/status").split(separator: "\n")
    let line = lines.first { $0.hasPrefix("\(name):") } ?? ""
    return line.split { " \t".contains($0) }.compactMap { Int($0) }.first ?? 0
  }
}

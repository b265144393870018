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
    print("kib=\(Self.resident) accounts=\(contexts.count)")
    await book.close()
  }

  /// The memory that the process has now, in KiB.
  private static var resident: Int {
    let lines = Files.text(of: "/proc/self/status").split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
}

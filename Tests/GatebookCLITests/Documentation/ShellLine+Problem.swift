internal import Glibc

@testable internal import GatebookCLI

extension ShellLine {
  /// Programs of others that documents may use without a word about where they come from.
  private static let known: Set<String> = [
    "apt-get", "aws", "cat", "cd", "command", "cp", "crontab", "curl", "diff", "docc", "echo",
    "export", "git", "head", "install", "jq", "kubectl", "ln", "ls", "mbsync", "mkdir", "msmtp",
    "mv", "openssl", "pip", "printf", "python3", "rclone", "read", "rm", "sha256sum", "sqlite3",
    "ssh", "swift", "systemctl", "tail", "xdg-open",
  ]

  /// Why somebody who pastes the command would be stuck; `nil` where nothing is wrong with it.
  func problem() throws -> String? {
    let isAssignment = { (word: String) in word.prefixMatch(of: /[A-Za-z_][A-Za-z0-9_]*=/) != nil }
    let words = words.drop(while: isAssignment)
    guard let program = words.first else { return nil }
    let rest = Array(words.dropFirst())
    if let gap = words.first(where: { $0.contains("...") || $0.contains("…") }) {
      return "\(gap) stands for something that a reader has to find out"
    }
    switch program {
    case "gatebook":
      do throws(UsageError) {
        _ = try ArgumentReader.read(rest, CommandTable.commands)
        return nil
      } catch {
        return "\(error.message) \(error.remedy)"
      }
    case "sudo":
      return try ShellLine(line: line, words: rest).problem()
    case "swift" where rest.contains("--product"):
      let product = rest.drop { $0 != "--product" }.dropFirst().first ?? ""
      return try Repository.products().contains(product) ? nil : "there is no product \(product)"
    case _ where program.hasPrefix("tools/") || program.hasPrefix("./tools/"):
      let isThere = access("\(Repository.root)/\(program)", X_OK) == 0
      return isThere ? nil : "there is no program \(program)"
    default:
      return Self.known.contains(program)
        ? nil : "\(program) is not among the programs that documents may use"
    }
  }
}

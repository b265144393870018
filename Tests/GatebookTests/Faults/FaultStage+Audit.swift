import Gatebook
import GatebookFakes
import Testing

extension FaultStage {
  /// Expects every login and every challenge of the log to have ended, each login once.
  func expectClosed(_ note: Comment) async throws {
    let events = try await book.events(after: .start, limit: 10_000)
    let ends = ["login.succeeded", "login.failed", "login.cancelled"]
    for start in events where start.kind == "login.started" {
      let own = events.filter { $0.session == start.session }.map(\.kind)
      #expect(own.filter { ends.contains($0) }.count == 1, note)
      // A server's 401 may be left without an answer: the login's end is its end too. What a person
      // is shown is not; a new interval is the same code, shown once.
      let shown = events.filter { event in
        event.session == start.session && event.kind.hasPrefix("challenge.")
          && ["redirect", "device"].contains(event.data["scheme"]?.text)
          && event.data["interval"] == nil
      }
      let asked = shown.filter { $0.kind == "challenge.received" }.count
      #expect(shown.count == 2 * asked, "\(note): \(shown.map(\.kind))")
    }
  }

  /// Expects no secret of the run in errors and in the book's files, and the book to be sound.
  func expectSound(_ errors: [GatebookError], _ note: Comment) async throws {
    let secrets = Set(self.secrets() + ownSecrets() + (await person?.secrets() ?? []))
    #expect(!secrets.isEmpty)
    let files = ["", "-wal", "-lock"].map { TestFile.read(world.path + $0) }
    let texts = errors.map { error in
      TestFile(
        bytes: Array(
          "\(error) \(error.cause ?? "") \(error.serverCode ?? "") \(error.setting ?? "")".utf8))
    }
    for secret in secrets {
      #expect(!files.contains { $0.holdsPlainly(secret) }, "\(note): \(secret) in the files")
      #expect(!texts.contains { $0.holdsPlainly(secret) }, "\(note): \(secret) in an error")
    }
    for error in errors {
      #expect(!error.kept.isEmpty && !error.remedy.isEmpty, "\(note): \(error)")
    }
    let verdict = try await BookVerifier(path: world.path).verify()
    #expect(verdict.ok, "\(note): \(verdict.problems)")
    let rows = try BookReader.open(at: world.path).checkProjections()
    #expect(rows.problems.isEmpty, "\(note): \(rows.problems)")
  }

  /// What the book itself made up.
  private func ownSecrets() -> [String] {
    line.all.flatMap { request in
      let form = FormFields(decoding: request.body)
      return ["code_verifier", "client_assertion"].compactMap { form?[$0] }
    }
  }
}

extension FaultPerson {
  /// What the pages' addresses hold that nobody else may know.
  func secrets() -> [String] {
    pages.flatMap { page in
      page.split(whereSeparator: { $0 == "?" || $0 == "&" }).compactMap { field in
        let isSecret = field.hasPrefix("state=") || field.hasPrefix("nonce=")
        return isSecret ? String(field.dropFirst(6)) : nil
      }
    }
  }
}

internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook report --with-labels`.
struct ReportLabelTests {
  @Test func `labels are on the page of who asks for them, and nothing else personal`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada's <work>")
    try scene.logIn(.ben, label: "private")
    let plain = try scene.run("report", "-o", "-").output
    #expect(!plain.contains("ada's"))
    #expect(plain.contains("This file contains no personal data"))
    let labelled = try scene.run("report", "-o", "-", "--with-labels")
    #expect(labelled.exit == 0, "\(labelled.errors)")
    #expect(labelled.output.contains("private, "))
    #expect(labelled.output.contains("&lt;work&gt;"))
    #expect(!labelled.output.contains("<work>"))
    #expect(!labelled.output.contains("This file contains no personal data"))
    for user in [FakePortalUser.ada, .ben] {
      #expect(!labelled.output.contains(user.emailAddress))
    }
    let one = try scene.run("report", "private", "-o", "-", "--with-labels").output
    #expect(one.contains("Gatebook report on account private"))
    #expect(!one.contains("&lt;work&gt;"))
    #expect(try scene.run("report", "-o", "-", "--with-labels", "--key", "none").exit == 7)
  }
}
